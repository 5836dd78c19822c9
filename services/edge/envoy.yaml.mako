## The edge's configuration, wherever it runs: services/edge/config.py fills it in.
# Made by services/edge. Every service behind one address: gRPC, gRPC-Web, JSON.
admin:
  address: {pipe: {path: ${q(edge.folder / "admin.sock")}, mode: 384}} # for its owner alone

overload_manager: # what Envoy may hold at most, whoever asks
  resource_monitors:
  - name: envoy.resource_monitors.global_downstream_max_connections
    typed_config:
      "@type": type.googleapis.com/envoy.extensions.resource_monitors.downstream_connections.v3.DownstreamConnectionsConfig
      max_active_downstream_connections: ${edge.connections}

static_resources:
  listeners:
  - name: edge
    address: {socket_address: {address: ${q(edge.host)}, port_value: ${edge.port}}}
    enable_reuse_port: false # else a second server on the port would share it unnoticed
    per_connection_buffer_limit_bytes: ${BUFFER}
    filter_chains:
    -
% if edge.certificate:
      transport_socket:
        name: envoy.transport_sockets.tls
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext
          common_tls_context:
            alpn_protocols: [h2, http/1.1]
            tls_params: {tls_minimum_protocol_version: TLSv1_2}
            tls_certificates:
            - certificate_chain: {filename: ${q(edge.certificate)}}
              private_key: {filename: ${q(edge.private_key)}}
% endif
      filters:
      - name: envoy.filters.network.http_connection_manager
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: edge
          codec_type: AUTO # HTTP/1.1 and HTTP/2 on one port
          server_name: vallum
          use_remote_address: true # what a client says of x-envoy-* and x-forwarded-* counts for nothing
          xff_num_trusted_hops: ${edge.trusted_proxies}
          normalize_path: true
          merge_slashes: true
          path_with_escaped_slashes_action: REJECT_REQUEST
          max_request_headers_kb: 16
          request_headers_timeout: 10s
          stream_idle_timeout: 300s # a Watch says that it lives every 10 s
          delayed_close_timeout: 1s
          common_http_protocol_options: {idle_timeout: 3600s, headers_with_underscores_action: REJECT_REQUEST}
          http2_protocol_options:
            max_concurrent_streams: 128
            initial_stream_window_size: 65536
            initial_connection_window_size: 1048576
            connection_keepalive: {interval: 60s, timeout: 20s}
          local_reply_config: # what the edge refuses by itself has the shape of a service's refusal
            mappers:
% for refusal in REFUSALS:
%   for grpc in (True, False):
            - filter:
                and_filter:
                  filters:
                  - status_code_filter: {comparison: {op: EQ, value: {default_value: ${refusal.http}, runtime_key: none}}}
                  - extension_filter:
                      name: envoy.access_loggers.extension_filters.cel
                      typed_config:
                        "@type": type.googleapis.com/envoy.extensions.access_loggers.filters.cel.v3.ExpressionFilter
                        expression: ${q(refusal.when(grpc=grpc))}
%     if grpc:
              status_code: 200 # of gRPC-Web too: its clients look at grpc-status then
              headers_to_add:
              - {header: {key: grpc-status, value: ${q(str(refusal.code))}}, append_action: OVERWRITE_IF_EXISTS_OR_ADD}
              - {header: {key: grpc-status-details-bin, value: ${q(refusal.trailer)}}, append_action: OVERWRITE_IF_EXISTS_OR_ADD}
              body_format_override: {text_format_source: {inline_string: ${q(refusal.message)}}}
%     else:
              status_code: ${refusal.answer}
              body_format_override:
                content_type: application/json
                json_format: ${json(refusal.body)}
%     endif
%   endfor
% endfor
          route_config:
            name: edge
            validate_clusters: false # "nowhere" is none
            max_direct_response_body_size_bytes: 16777216
            virtual_hosts:
            - name: all
              domains: ["*"]
              typed_per_filter_config:
                envoy.filters.http.cors:
                  "@type": type.googleapis.com/envoy.extensions.filters.http.cors.v3.CorsPolicy
                  allow_origin_string_match: ${json(edge.origin_matches)}
                  allow_methods: GET, POST, PUT, PATCH, DELETE, OPTIONS
                  allow_headers: authorization,content-type,x-grpc-web,x-user-agent,grpc-timeout,traceparent
                  expose_headers: grpc-status,grpc-message,grpc-status-details-bin,retry-after
                  max_age: "600"
              routes: # of JSON calls too: a route is chosen again when a call has been translated
              - match: {path: /healthz}
                direct_response: {status: 200, body: {inline_string: "ok\n"}}
              - match: {path: /openapi.json}
                direct_response: {status: 200, body: {filename: ${q(edge.folder / "openapi.json")}}}
                response_headers_to_add:
                - {header: {key: content-type, value: application/json}, append_action: OVERWRITE_IF_EXISTS_OR_ADD}
                - {header: {key: access-control-allow-origin, value: "*"}, append_action: OVERWRITE_IF_EXISTS_OR_ADD}
              - match: {path: /.well-known/jwks.json}
                direct_response: {status: 200, body: {inline_string: ${q(json(edge.jwks))}}}
                response_headers_to_add:
                - {header: {key: content-type, value: application/json}, append_action: OVERWRITE_IF_EXISTS_OR_ADD}
                - {header: {key: access-control-allow-origin, value: "*"}, append_action: OVERWRITE_IF_EXISTS_OR_ADD}
% for service in edge.services:
%   for name in service.internal:
              - match: {path: ${q("/" + service.name + "/" + name)}}
                route: {cluster: nowhere, cluster_not_found_response_code: NOT_FOUND}
%   endfor
%   for stream in service.streams:
              - match: {path: ${q("/" + service.name + "/" + stream)}}
                route: {cluster: ${q(service.target)}, timeout: 0s} # a client's own deadline is kept by the service
%   endfor
              - match: {prefix: ${q("/" + service.name + "/")}}
                route:
                  cluster: ${q(service.target)}
                  timeout: ${edge.deadline}s
                  retry_policy: {retry_on: "connect-failure,refused-stream", num_retries: 2} # nobody has answered
% endfor
% for prefix in ("/grpc.health.v1.Health/", "/grpc.reflection."):
              - match: {prefix: ${q(prefix)}}
                route: {cluster: ${q(edge.describing)}, timeout: 0s}
                typed_per_filter_config: # reflection is a conversation
                  envoy.filters.http.buffer:
                    "@type": type.googleapis.com/envoy.extensions.filters.http.buffer.v3.BufferPerRoute
                    disabled: true
% endfor
              - match: {prefix: /}
                route: {cluster: nowhere, cluster_not_found_response_code: NOT_FOUND}
          http_filters:
          - name: envoy.filters.http.cors
            typed_config: {"@type": type.googleapis.com/envoy.extensions.filters.http.cors.v3.Cors}
          - name: envoy.filters.http.grpc_web
            typed_config: {"@type": type.googleapis.com/envoy.extensions.filters.http.grpc_web.v3.GrpcWeb}
% if edge.flood:
          - name: envoy.filters.http.local_ratelimit # against floods; the limits of callers are the services'
            typed_config:
              "@type": type.googleapis.com/envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit
              stat_prefix: flood
              filter_enabled: {default_value: {numerator: 100, denominator: HUNDRED}}
              filter_enforced: {default_value: {numerator: 100, denominator: HUNDRED}}
              rate_limited_as_resource_exhausted: true
              token_bucket: {max_tokens: 1000000000, tokens_per_fill: 1000000000, fill_interval: 1s} # all together: none
              rate_limits: [{actions: [{remote_address: {}}]}]
              max_dynamic_descriptors: 10000
              descriptors: # each address has a bucket of its own
              - entries: [{key: remote_address}]
                token_bucket: {max_tokens: ${2 * edge.flood}, tokens_per_fill: ${edge.flood}, fill_interval: 1s}
% endif
          - name: envoy.filters.http.jwt_authn
            typed_config:
              "@type": type.googleapis.com/envoy.extensions.filters.http.jwt_authn.v3.JwtAuthentication
              providers:
                vallum:
                  issuer: ${q(ISSUER)}
                  audiences: [${q(AUDIENCE)}]
                  clock_skew_seconds: ${int(LEEWAY)}
% if edge.issuer:
                  remote_jwks:
                    http_uri: {uri: "http://keys/.well-known/jwks.json", cluster: keys, timeout: 2s}
                    cache_duration: 30s # keys are published longer than that before they sign
                    async_fetch: {failed_refetch_duration: 1s}
% else:
                  local_jwks: {inline_string: ${q(json(edge.jwks))}}
% endif
                  from_headers: [{name: authorization, value_prefix: "Bearer "}]
                  forward: true # the service looks at it as well, and knows the caller by it
                  jwt_cache_config: {jwt_cache_size: 10000}
              rules: # a call without a token goes on: the service knows whether it needs one, and says so
              - match: {prefix: /}
                requires: {requires_any: {requirements: [{provider_name: vallum}, {allow_missing: {}}]}}
          - name: envoy.filters.http.buffer # a request is one message, and has a limit
            typed_config:
              "@type": type.googleapis.com/envoy.extensions.filters.http.buffer.v3.Buffer
              max_request_bytes: ${edge.request_limit}
          - name: envoy.filters.http.grpc_json_transcoder
            typed_config:
              "@type": type.googleapis.com/envoy.extensions.filters.http.grpc_json_transcoder.v3.GrpcJsonTranscoder
              proto_descriptor: ${q(edge.folder / "contract.binpb")}
              services: ${json([service.name for service in edge.services])}
              convert_grpc_status: true # errors are google.rpc.Status with their details
              print_options: {always_print_primitive_fields: true, stream_newline_delimited: true}
              request_validation_options: {reject_unknown_query_parameters: true}
              max_response_body_size: ${LARGEST_MESSAGE}
          - name: envoy.filters.http.lua # a service gets the headers that it reads: gRPC cannot carry all that HTTP knows
            typed_config:
              "@type": type.googleapis.com/envoy.extensions.filters.http.lua.v3.Lua
              clear_route_cache: false # a route is chosen by headers that go
              default_source_code:
                inline_string: |
                  local read = {
% for name, pattern in READ.items():
                    [${q(name)}] = ${q(pattern)},
% endfor
                  }
                  function envoy_on_request(handle)
                    local headers, others = handle:headers(), {}
                    for name, value in pairs(headers) do
                      local fits = read[name] and string.find(value, read[name])
                      if not fits and string.sub(name, 1, 1) ~= ":" then others[#others + 1] = name end
                    end
                    for _, name in ipairs(others) do headers:remove(name) end
                  end
          - name: envoy.filters.http.router
            typed_config:
              "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router
              suppress_envoy_headers: true

% if edge.issuer:
  - name: keys # for the edge itself: the accounts service's keys, as the JSON of a key set
    address: {pipe: {path: ${q(edge.folder / "keys.sock")}, mode: 384}}
    filter_chains:
    - filters:
      - name: envoy.filters.network.http_connection_manager
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: keys
          route_config:
            virtual_hosts:
            - name: keys
              domains: ["*"]
              routes: [{match: {path: ${q(f"/{edge.issuer.name}/GetKeySet")}}, route: {cluster: ${q(edge.issuer.target)}}}]
          http_filters:
          - name: envoy.filters.http.grpc_json_transcoder
            typed_config:
              "@type": type.googleapis.com/envoy.extensions.filters.http.grpc_json_transcoder.v3.GrpcJsonTranscoder
              proto_descriptor: ${q(edge.folder / "contract.binpb")}
              services: [${q(edge.issuer.name)}]
              match_incoming_request_route: false
          - name: envoy.filters.http.router
            typed_config: {"@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router}
% endif

  clusters:
% if edge.issuer:
  - name: keys
    type: STATIC
    connect_timeout: 1s
    load_assignment:
      cluster_name: keys
      endpoints:
      - lb_endpoints:
        - endpoint: {address: {pipe: {path: ${q(edge.folder / "keys.sock")}}}}
% endif
% for target in edge.targets:
  - name: ${q(target.name)}
    type: ${"STATIC" if target.is_address else "STRICT_DNS"}
    connect_timeout: 2s
    per_connection_buffer_limit_bytes: ${BUFFER}
    lb_policy: LEAST_REQUEST
    circuit_breakers: {thresholds: [{max_connections: 64, max_pending_requests: 4096, max_requests: ${edge.requests}, max_retries: 16}]}
    typed_extension_protocol_options:
      envoy.extensions.upstreams.http.v3.HttpProtocolOptions:
        "@type": type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions
        explicit_http_config:
          http2_protocol_options:
            initial_stream_window_size: 65536
            initial_connection_window_size: 1048576
            connection_keepalive: {interval: 60s, timeout: 20s}
    health_checks: # a service that is about to stop says so
    - {timeout: 2s, interval: 2s, no_traffic_interval: 2s, unhealthy_threshold: 2, healthy_threshold: 1, grpc_health_check: {}}
    load_assignment:
      cluster_name: ${q(target.name)}
      endpoints:
      - lb_endpoints:
        - endpoint: {address: ${json(target.address)}}
% endfor
