"""The edge: one address for gRPC, gRPC-Web and JSON, in front of every service."""
