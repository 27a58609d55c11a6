package io.weir.spring.boot4;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.compat.redis.RedisServer;
import io.weir.spring.WeirAutoConfiguration;
import io.weir.spring.store.WeirStoreAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The store at the address of a service connection, such as a container makes for a test. */
class ServiceConnectionTest {
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  WeirAutoConfiguration.class,
                  WeirStoreAutoConfiguration.class,
                  WeirRedisAutoConfiguration.class))
          .withPropertyValues("weir.store=spring", "weir.secret=of the tests");

  @Test
  void isWhereTheConnectionLeads() {
    try (RedisServer server = RedisServer.start()) {
      runner
          .withBean(DataRedisConnectionDetails.class, () -> connection(server))
          .run(
              context ->
                  assertEquals(
                      "Redis at 127.0.0.1:" + server.port(), context.getBean(Weir.class).store()));
    }
  }

  private static DataRedisConnectionDetails connection(RedisServer server) {
    return new DataRedisConnectionDetails() {
      @Override
      public Standalone getStandalone() {
        return Standalone.of("127.0.0.1", server.port());
      }
    };
  }

  @Test
  void saysThatThereIsNone() {
    runner.run(context -> assertNames("DataRedisConnectionDetails", context.getStartupFailure()));
    new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(WeirAutoConfiguration.class, WeirStoreAutoConfiguration.class))
        .withPropertyValues("weir.store=spring")
        .run(
            context ->
                assertNames("Add spring-boot-starter-data-redis", context.getStartupFailure()));
  }

  private static void assertNames(String what, Throwable failure) {
    assertNotNull(failure);
    assertTrue(failure.toString().contains("weir.store=spring"), failure.toString());
    assertTrue(failure.toString().contains(what), failure.toString());
  }
}
