package io.weir.benchmarks.decisions.cases;

import io.weir.spi.RequestInfo;
import java.util.List;
import java.util.Optional;

/**
 * A request of which nothing is known but whose connection it came by: what reading the container's
 * own request costs is the http suite's.
 *
 * <p>Immutable.
 *
 * @param peer the address
 */
record PeerOnlyRequest(Optional<String> peer) implements RequestInfo {
  PeerOnlyRequest(String peer) {
    this(Optional.of(peer));
  }

  @Override
  public String method() {
    return "GET";
  }

  @Override
  public List<String> headers(String name) {
    return List.of();
  }

  @Override
  public Optional<String> user() {
    return Optional.empty();
  }
}
