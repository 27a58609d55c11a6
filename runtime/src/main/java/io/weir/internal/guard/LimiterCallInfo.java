package io.weir.internal.guard;

import io.weir.Key;
import io.weir.spi.RequestInfo;
import java.util.List;
import java.util.Optional;

/**
 * Describes a call of {@link io.weir.Weir#limiter()} to a policy source: it knows the user, if the
 * key names one, and nothing else.
 */
final class LimiterCallInfo implements RequestInfo {
  private final Optional<String> user;

  LimiterCallInfo(Key key) {
    this.user = key.userName();
  }

  /** Returns the empty string, which no pattern matches. */
  @Override
  public String method() {
    return "";
  }

  @Override
  public Optional<String> user() {
    return user;
  }

  @Override
  public List<String> headers(String name) {
    return List.of();
  }

  @Override
  public Optional<String> peer() {
    return Optional.empty();
  }
}
