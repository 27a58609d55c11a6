package io.weir.benchmarks.service;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The kinds of requests. */
enum RequestKind {
  /** {@code RL.REDUCE}. */
  REDUCE("RL.REDUCE", RespWire::reduce),
  /** {@code RL.GET}. */
  GET("RL.GET", RespWire::get),
  /** {@code CL.THROTTLE}. */
  THROTTLE("CL.THROTTLE", RespWire::throttle),
  /** {@code WEIR.CHECK}. */
  WEIR_CHECK("WEIR.CHECK", RespWire::check),
  /** A token bucket in Lua, of a Redis. */
  SCRIPT("Lua", RespWire::script),
  /** {@code POST /check}. */
  HTTP_CHECK("POST /check", token -> new HttpWire("127.0.0.1", token)),
  /** {@code ShouldRateLimit}. */
  ENVOY("ShouldRateLimit", null);

  private final String text;
  private final @Nullable Function<String, Wire> wire;

  RequestKind(String text, @Nullable Function<String, Wire> wire) {
    this.text = text;
    this.wire = wire;
  }

  /** Returns the name in reports. */
  String text() {
    return text;
  }

  /**
   * Creates the load that sends them.
   *
   * @param token signs in; for a script its digest
   * @param connections how many; for gRPC there are as many calls at a time over a few connections
   * @param depth how many requests a connection sends together
   */
  RequestLoad load(InetSocketAddress address, String token, int connections, int depth)
      throws IOException {
    Function<String, Wire> made = wire;
    return made == null
        ? new GrpcLoad(address.getHostString(), address.getPort(), token, connections)
        : new WireLoad(address, () -> made.apply(token), connections, depth);
  }
}
