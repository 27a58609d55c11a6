package io.weir.compat.bare;

import io.weir.spi.RequestInfo;
import java.util.List;
import java.util.Optional;

/** A call outside of HTTP. */
final class NoRequest implements RequestInfo {
  @Override
  public String method() {
    return "";
  }

  @Override
  public List<String> headers(String name) {
    return List.of();
  }

  @Override
  public Optional<String> user() {
    return Optional.empty();
  }

  @Override
  public Optional<String> peer() {
    return Optional.empty();
  }
}
