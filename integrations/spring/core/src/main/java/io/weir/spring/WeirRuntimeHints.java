package io.weir.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** Names the files and classes that Weir finds by name, for native images. */
final class WeirRuntimeHints implements RuntimeHintsRegistrar {
  private static final String[] FILES = {
    "weir.properties",
    "io/weir/internal/redis/*.lua",
    "io/weir/rules/db/*/*.sql",
    "redis/clients/jedis/pom.properties"
  };

  /** Have a server or not, which is asked by name, since Spring Boot 4 has moved them. */
  private static final String[] CONTEXTS = {
    "org.springframework.boot.web.servlet.context.ServletWebServerApplicationContext",
    "org.springframework.boot.web.reactive.context.ReactiveWebServerApplicationContext",
    "org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext",
    "org.springframework.boot.web.server.reactive.context.ReactiveWebServerApplicationContext"
  };

  @Override
  public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
    for (String file : FILES) {
      hints.resources().registerPattern(file);
    }
    for (String context : CONTEXTS) {
      hints
          .reflection()
          .registerTypeIfPresent(loader, context, MemberCategory.INVOKE_PUBLIC_METHODS);
    }
    // The version of Jedis is determined by its methods.
    hints
        .reflection()
        .registerTypeIfPresent(
            loader,
            "redis.clients.jedis.DefaultJedisClientConfig$Builder",
            MemberCategory.INVOKE_PUBLIC_METHODS);
    hints.reflection().registerTypeIfPresent(loader, "redis.clients.jedis.Connection");
    UserName.registerHints(hints);
    IssuerCount.registerHints(hints, loader);
  }
}
