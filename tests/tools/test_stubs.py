"""The stubs are what the protos say, and nothing else."""

from pathlib import Path

import protovalidate
import pytest

from tools import stubs
from vallum.hadrians_wall.v1 import rules_pb2
from vallum.match.v1 import match_pb2
from vallum.options.v1 import access_pb2


@pytest.mark.parametrize("module", stubs.OUTPUTS)
def test_every_proto_has_its_stubs_and_no_stub_is_left_over(module: str) -> None:
    source, out = stubs.ROOT / module, stubs.ROOT / stubs.OUTPUTS[module]
    protos = {str(path.relative_to(source)) for path in source.rglob("*.proto")}
    protos |= set(stubs.FOREIGN.get(module, ()))
    messages = {name for name in stubs.stubs(out) if name.endswith("_pb2.py")}
    assert messages == {name.replace(".proto", "_pb2.py") for name in protos}


def test_generating_again_removes_the_stale_and_touches_nothing_else(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for root in (old, new):
        root.mkdir()
        (root / "kept_pb2.py").write_text("same")
    (old / "stale_pb2.pyi").write_text("gone")
    (old / "written.py").write_text("by hand")
    (new / "empty_pb2_grpc.py").write_text("import grpc")
    (new / "fresh_pb2_grpc.py").write_text("class FreshStub: ...")
    before = (old / "kept_pb2.py").stat().st_mtime_ns

    stubs.replace(old, new)

    assert {path.name for path in old.iterdir()} == {
        "kept_pb2.py",
        "written.py",
        "fresh_pb2_grpc.py",
    }
    assert (old / "kept_pb2.py").stat().st_mtime_ns == before


def test_a_field_rule_is_enforced_on_a_stub() -> None:
    protovalidate.validate(match_pb2.Occupant(bot="random"))
    with pytest.raises(protovalidate.ValidationError) as refused:
        protovalidate.validate(match_pb2.Occupant(bot="Not A Policy"))
    assert [each.proto.rule_id for each in refused.value.violations] == ["string.pattern"]


def test_the_access_option_can_be_read_from_a_method() -> None:
    service = rules_pb2.DESCRIPTOR.services_by_name["RulesService"]
    options = service.methods_by_name["GetPosition"].GetOptions()
    assert options.Extensions[access_pb2.access].roles == [access_pb2.ROLE_SERVICE]
