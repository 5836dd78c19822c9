"""Generates the Python stubs of every proto file: `make proto`.

protoc alone makes them; buf only judges the protos. Messages, services and their types land
beside the hand-written SDK. What has not changed is not touched; what is no longer declared goes.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from grpc_tools import protoc  # type: ignore[import-untyped]  # it ships no types

ROOT = Path(__file__).resolve().parent.parent
OUTPUTS = {"proto": "clients/python", "tests/proto": "tests/gen"}
"""Module of protos -> import root of its stubs."""
FOREIGN = {"proto": ("buf/validate/validate.proto",)}
"""Vendored protos that no package brings for google.protobuf; google/api comes with one."""


def generate(names: Sequence[str], out: Path) -> None:
    """Write the stubs of these protos below `out`, or end the program: one does not compile."""
    includes = [
        *(ROOT / module for module in (*OUTPUTS, "third_party")),
        files("grpc_tools") / "_proto",
    ]
    scripts = Path(sys.executable).parent
    status = protoc.main(
        [
            "protoc",
            *(f"-I{path}" for path in includes),
            *(
                f"--plugin=protoc-gen-{name}={scripts}/protoc-gen-{name}"
                for name in ("mypy", "mypy_grpc")
            ),
            *(f"--{name}_out={out}" for name in ("python", "grpc_python")),
            *(f"--{name}_out=quiet:{out}" for name in ("mypy", "mypy_grpc")),
            *names,
        ]
    )
    if status:
        sys.exit(status)


def stubs(root: Path) -> dict[str, Path]:
    """The stub files below `root` by their path in it, but for what a wheel was built from."""
    paths = {str(path.relative_to(root)): path for path in root.rglob("*_pb2*.py*")}
    built = ("build/", "__pycache__/")
    return {name: path for name, path in paths.items() if not any(part in name for part in built)}


def is_empty(path: Path) -> bool:
    """Whether this is the service stub of a proto without a service."""
    return "_grpc" in path.stem and "Stub" not in path.read_text()


def replace(old_root: Path, new_root: Path) -> None:
    """Make the stubs below `old_root` equal to those below `new_root`."""
    old = stubs(old_root)
    new = {name: path for name, path in stubs(new_root).items() if not is_empty(path)}
    for name in old.keys() - new.keys():
        old[name].unlink()
    for name, path in new.items():
        target = old_root / name
        if name not in old or target.read_bytes() != path.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())


def main() -> None:
    """Generate the stubs of every module of protos."""
    for module, target in OUTPUTS.items():
        source = ROOT / module
        names = sorted(str(path.relative_to(source)) for path in source.rglob("*.proto"))
        with TemporaryDirectory() as scratch:
            generate([*names, *FOREIGN.get(module, ())], Path(scratch))
            replace(ROOT / target, Path(scratch))


if __name__ == "__main__":
    main()
