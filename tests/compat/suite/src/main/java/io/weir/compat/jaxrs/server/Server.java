package io.weir.compat.jaxrs.server;

import java.net.URI;
import java.util.Set;

/**
 * A server on an ephemeral port of loopback.
 *
 * @param base the application's address, without a slash at the end
 * @param stop stops it
 */
public record Server(URI base, AutoCloseable stop) {
  /** Starts a server of the kind under test. */
  @FunctionalInterface
  public interface Starter {
    /**
     * Starts.
     *
     * @param classes resources and providers
     * @param instances instances of resources and providers
     * @return the running server
     * @throws Exception if the application is refused
     */
    Server start(Set<Class<?>> classes, Set<Object> instances) throws Exception;
  }
}
