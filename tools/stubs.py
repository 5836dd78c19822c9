"""Generates the Python stubs of every proto file: `make proto`.

grpc_tools.protoc does it alone; buf only judges the protos. Message stubs, service stubs and their
types land beside the hand-written SDK; what a proto no longer declares is removed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

from grpc_tools import protoc  # type: ignore[import-untyped]  # ships no types

ROOT = Path(__file__).resolve().parent.parent
OUTPUTS = {"proto": "clients/python", "tests/proto": "tests/gen"}
"""Module of protos -> import root of its stubs."""
GENERATED_FOREIGN = ("buf/validate/validate.proto",)
"""Foreign protos that no package ships for google.protobuf; google/api comes from one."""


def protos_of(module: Path) -> list[str]:
    """The module's proto files, named as they import one another."""
    return sorted(str(path.relative_to(module)) for path in module.rglob("*.proto"))


def generate(names: Iterable[str], out: Path) -> None:
    """Write the stubs of these protos below `out`."""
    out.mkdir(parents=True, exist_ok=True)
    includes = [ROOT / module for module in (*OUTPUTS, "third_party")]
    arguments = [
        "protoc",
        *(f"-I{path}" for path in includes if path.is_dir()),
        f"-I{files('grpc_tools') / '_proto'}",
        *(f"--{kind}_out={out}" for kind in ("python", "grpc_python")),
        *(f"--{kind}_out=quiet:{out}" for kind in ("mypy", "mypy_grpc")),
        *names,
    ]
    if status := protoc.main(arguments):
        sys.exit(status)


def expected(names: Iterable[str], module: Path) -> Iterable[str]:
    """The stub files that these protos should have: service stubs only where a service is."""
    for name in names:
        stem = name.removesuffix(".proto")
        yield from (f"{stem}_pb2.py", f"{stem}_pb2.pyi")
        if "\nservice " in (module / name).read_text():
            yield from (f"{stem}_pb2_grpc.py", f"{stem}_pb2_grpc.pyi")


def main() -> None:
    """Generate every module, then remove what should not be there."""
    for source, target in OUTPUTS.items():
        module, out = ROOT / source, ROOT / target
        names = protos_of(module)
        wanted = set(expected(names, module))
        if source == "proto":
            names += GENERATED_FOREIGN
            wanted |= set(expected(GENERATED_FOREIGN, ROOT / "third_party"))
        if names:
            generate(names, out)
        for path in out.rglob("*_pb2*.py*"):
            if "__pycache__" not in path.parts and str(path.relative_to(out)) not in wanted:
                path.unlink()


if __name__ == "__main__":
    main()
