package io.weir.spring.server;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.web.server.WebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.core.Ordered;

/**
 * Prepares a kind of embedded server, after all other customizers, and notes that Weir can read the
 * connection's own address from it.
 *
 * @param <T> the factory of the server
 */
public abstract class ServerPreparation<T extends WebServerFactory>
    implements WebServerFactoryCustomizer<T>, Ordered {
  private final ObjectProvider<ConnectionAddresses> addresses;

  /**
   * Makes a preparation.
   *
   * @param addresses the application's; none where Weir is off
   */
  protected ServerPreparation(ObjectProvider<ConnectionAddresses> addresses) {
    this.addresses = addresses;
  }

  /**
   * Has the server keep the address. Does nothing unless overridden, for a server whose requests
   * know it.
   *
   * @param factory makes the server
   */
  protected void prepare(T factory) {}

  @Override
  public final void customize(T factory) {
    prepare(factory);
    addresses.ifAvailable(each -> each.areReadableFrom(factory));
  }

  @Override
  public final int getOrder() {
    return LOWEST_PRECEDENCE;
  }
}
