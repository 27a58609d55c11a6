package io.weir.benchmarks.rules;

import io.weir.spi.RequestInfo;
import java.util.List;
import java.util.Optional;

/**
 * A request of a signed-in user: what reading the container's own request costs is the http
 * suite's.
 *
 * <p>Immutable.
 *
 * @param endpoint the template of what answers it
 * @param user the user's name
 * @param peer the address
 */
record UserCall(String endpoint, Optional<String> user, Optional<String> peer)
    implements RequestInfo {
  UserCall(String endpoint, String user) {
    this(endpoint, Optional.of(user), Optional.of("192.0.2.1"));
  }

  @Override
  public String method() {
    return "GET";
  }

  /** As on JAX-RS: what is found for a path with braces isn't kept. */
  @Override
  public boolean hasTemplate() {
    return true;
  }

  @Override
  public String mapping() {
    return endpoint;
  }

  @Override
  public List<String> headers(String name) {
    return List.of();
  }
}
