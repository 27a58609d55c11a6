package io.weir.internal.redis;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Properties;

/**
 * Checks that Weir can use the Jedis on the class path. An older version, which a framework may
 * choose, lacks methods: each connection would end in an {@code Error}.
 */
final class JedisVersionCheck {
  private static final String BUILDER = "redis.clients.jedis.DefaultJedisClientConfig$Builder";

  /** A method that came with the oldest version that Weir can use. */
  private static final String NEW_METHOD = "serverDefaultProtocol";

  private JedisVersionCheck() {}

  /**
   * Rejects a Jedis that is too old.
   *
   * @throws IllegalArgumentException naming the version that was found and the one that is needed
   */
  static void check(ClassLoader loader) {
    if (!isNewEnough(loader)) {
      throw new IllegalArgumentException(
          "weir.store in Redis needs redis.clients:jedis 8.0.0 or newer, but the class path has "
              + found(loader)
              + ". If a framework chooses the version, override it: with Spring Boot by the property"
              + " jedis.version of the build");
    }
  }

  private static boolean isNewEnough(ClassLoader loader) {
    try {
      return Arrays.stream(Class.forName(BUILDER, false, loader).getMethods())
          .anyMatch(method -> method.getName().equals(NEW_METHOD));
    } catch (ClassNotFoundException | LinkageError unlike) {
      return false;
    }
  }

  private static String found(ClassLoader loader) {
    try (InputStream in = loader.getResourceAsStream("redis/clients/jedis/pom.properties")) {
      Properties properties = new Properties();
      if (in != null) {
        properties.load(in);
      }
      return properties.getProperty("version", "one of an unknown version");
    } catch (IOException | IllegalArgumentException unreadable) {
      return "one of an unknown version";
    }
  }
}
