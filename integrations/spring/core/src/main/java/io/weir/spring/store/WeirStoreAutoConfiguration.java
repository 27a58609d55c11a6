package io.weir.spring.store;

import io.weir.spring.WeirAutoConfiguration;
import io.weir.store.StoreProvider;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

/** Connects the store to Spring's Redis where {@code weir.store=spring} says so. */
@AutoConfiguration(before = WeirAutoConfiguration.class)
public class WeirStoreAutoConfiguration {
  /**
   * Makes the provider of Spring's Redis. Nothing is looked up unless the setting says so.
   *
   * @param finder finds the Redis; absent without Spring Boot's support for it
   * @return for the Weir of the application
   */
  @Bean
  StoreProvider weirSpringStore(ObjectProvider<RedisDetailsFinder> finder) {
    return new SpringStoreProvider(() -> finder.getIfAvailable(NoRedis::new).find());
  }

  /** Reports that the application has no Redis. */
  private static final class NoRedis implements RedisDetailsFinder {
    @Override
    public RedisDetails find() {
      throw new IllegalArgumentException(
          "weir.store=spring takes the address from Spring's Redis, which this application doesn't"
              + " have. Add spring-boot-starter-data-redis and set spring.data.redis.host, or set"
              + " weir.store to an address such as redis://redis.example.org:6379");
    }
  }
}
