package io.weir.spring.server;

import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** Determines as Spring Boot does who applies forwarded header fields. Stateless. */
final class ForwardHeaders {
  static final String SETTING = "server.forward-headers-strategy";

  private ForwardHeaders() {}

  /** Returns the reason, in words, why the web server is to apply them; empty if it isn't. */
  static Optional<String> byServer(Environment environment) {
    @Nullable String strategy = Binder.get(environment).bind(SETTING, String.class).orElse(null);
    if (strategy != null) {
      return strategy.trim().toLowerCase(Locale.ROOT).equals("native")
          ? Optional.of(SETTING + " = '" + strategy + "'")
          : Optional.empty();
    }
    return Optional.ofNullable(CloudPlatform.getActive(environment))
        .filter(CloudPlatform::isUsingForwardHeaders)
        .map(cloud -> SETTING + " (not set, so native on " + cloud + ")");
  }
}
