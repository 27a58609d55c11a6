package io.weir.compat.bare;

import io.weir.spi.RequestInfo;

/** A call outside of HTTP. */
final class NoRequest implements RequestInfo {
  @Override
  public String method() {
    return "";
  }
}
