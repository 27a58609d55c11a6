package io.weir.store;

import io.weir.Ticker;
import java.net.URI;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLSocketFactory;

/**
 * Opens the stores of one URL scheme; found by {@link java.util.ServiceLoader}.
 *
 * <p>Its settings begin with {@code weir.store.<kind>.}, where the kind is one of its schemes or
 * another word. {@link io.weir.spi.ModuleSettings} declares them, so that misspelled ones are
 * refused; without it, they are passed unchecked.
 *
 * <p>Safe for concurrent use.
 */
public interface StoreProvider {
  /**
   * Returns the schemes of the addresses that {@link #open} takes: the part before the colon of
   * {@code weir.store}.
   *
   * @return at least one, in lower case, that no other provider on the class path has
   */
  Set<String> schemes();

  /**
   * Opens a store.
   *
   * @param address the value of {@code weir.store}
   * @param setting reads a setting by its full name; the empty string if it isn't set
   * @param ticker the source of time
   * @return a store that the caller closes
   * @throws IllegalArgumentException if the address or a setting is malformed; the message names it
   */
  PermitStore open(URI address, UnaryOperator<String> setting, Ticker ticker);

  /**
   * Opens a store over encrypted connections that the caller makes, such as a framework that
   * manages certificates.
   *
   * @param address an address of one of the {@link #schemes}
   * @param setting reads a setting by its full name; the empty string if it isn't set
   * @param ticker the source of time
   * @param sockets returns the factory of encrypted sockets. Called for each connection, so that
   *     renewed certificates apply to the next one; it replaces the settings of certificates
   * @return a store that the caller closes
   * @throws IllegalArgumentException if the address or a setting is malformed, or the store can't
   *     use such sockets, which none can unless it overrides this
   */
  default PermitStore open(
      URI address,
      UnaryOperator<String> setting,
      Ticker ticker,
      Supplier<SSLSocketFactory> sockets) {
    throw new IllegalArgumentException(
        "stores of the scheme "
            + address.getScheme()
            + " can't use sockets that the application supplies");
  }
}
