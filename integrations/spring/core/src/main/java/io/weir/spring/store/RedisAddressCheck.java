package io.weir.spring.store;

import java.util.List;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** Checks which address the properties of Spring's Redis name. */
public final class RedisAddressCheck {
  private static final String PREFIX = "spring.data.redis.";

  private RedisAddressCheck() {}

  /**
   * Rejects properties that name no address: Spring Boot would use localhost, where a forgotten
   * property shows only as an unreachable store.
   *
   * @param environment has the properties
   * @throws IllegalArgumentException if none of the properties with an address is set
   */
  public static void requireAddress(Environment environment) {
    Binder binder = Binder.get(environment);
    boolean isSet =
        List.of("host", "url").stream()
                .anyMatch(each -> binder.bind(PREFIX + each, String.class).isBound())
            || List.of("sentinel.nodes", "cluster.nodes", "masterreplica.nodes").stream()
                .anyMatch(
                    each -> binder.bind(PREFIX + each, Bindable.listOf(String.class)).isBound());
    if (!isSet) {
      throw new IllegalArgumentException(
          "weir.store=spring takes the address from Spring's Redis, but none of"
              + " spring.data.redis.host, .url, .sentinel.nodes and .cluster.nodes is set. Set"
              + " spring.data.redis.host, also if it is localhost");
    }
  }

  /**
   * Returns whether the properties name an SSL bundle, which may be reloaded. Without one the
   * connection details of Spring Boot make a new bundle, of what the JVM trusts, at each call.
   *
   * @param environment has the properties
   * @return true if {@code spring.data.redis.ssl.bundle} is set
   */
  public static boolean isBundleNamed(Environment environment) {
    return Binder.get(environment).bind(PREFIX + "ssl.bundle", String.class).isBound();
  }

  /**
   * Returns whether the URL among the properties asks for encryption, about which the connection
   * details of Spring Boot say nothing.
   *
   * @param environment has the properties
   * @return true for a URL that begins with {@code rediss:}
   */
  public static boolean isUrlEncrypted(Environment environment) {
    return Binder.get(environment)
        .bind(PREFIX + "url", String.class)
        .map(url -> url.startsWith("rediss:"))
        .orElse(false);
  }
}
