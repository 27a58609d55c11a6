package io.weir.spring.store;

import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.core.env.Environment;

/** Reads the properties of Spring's Redis, beside the connection details that it makes of them. */
public final class SpringRedisProperties {
  private static final String PREFIX = "spring.data.redis.";

  private SpringRedisProperties() {}

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
   * Encrypts connections as the application does.
   *
   * @param details without encryption
   * @param bundle finds the certificates that the connection details have now; null for none
   * @param isOfProperties whether Spring Boot has made the connection details of properties
   * @param environment has the properties
   * @return the same details if nothing is to be encrypted
   */
  public static RedisDetails encrypt(
      RedisDetails details,
      Supplier<@Nullable SslBundle> bundle,
      boolean isOfProperties,
      Environment environment) {
    SslBundle first = bundle.get();
    if (first != null) {
      return isOfProperties && !isBundleNamed(environment)
          ? details.encrypted(() -> first)
          : details.encrypted(() -> Objects.requireNonNullElse(bundle.get(), first));
    }
    if (isOfProperties && isUrlEncrypted(environment)) {
      SslBundle ofTheJvm = SslBundle.systemDefault();
      return details.encrypted(() -> ofTheJvm);
    }
    return details;
  }

  /**
   * Returns whether the properties name an SSL bundle, which may be reloaded. Without one the
   * connection details of Spring Boot make a new bundle, of what the JVM trusts, at each call.
   */
  private static boolean isBundleNamed(Environment environment) {
    return Binder.get(environment).bind(PREFIX + "ssl.bundle", String.class).isBound();
  }

  /**
   * Returns whether the URL among the properties asks for encryption, about which the connection
   * details of Spring Boot say nothing.
   */
  private static boolean isUrlEncrypted(Environment environment) {
    return Binder.get(environment)
        .bind(PREFIX + "url", String.class)
        .map(url -> url.startsWith("rediss:"))
        .orElse(false);
  }
}
