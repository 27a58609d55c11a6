package io.weir.internal.server.envoy.config;

import java.util.List;

/** Reports an invalid configuration. The message names file, place and rule of each mistake. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ConfigException(List<String> mistakes) {
    super(String.join("; ", mistakes));
  }
}
