package io.weir.spring.store;

/** Finds the Redis of the application; each Spring Boot has a bean of its own for it. */
@FunctionalInterface
public interface RedisDetailsFinder {
  /**
   * Finds the Redis.
   *
   * @return its address and login
   * @throws IllegalArgumentException if the application has none; the message names what to set
   */
  RedisDetails find();
}
