package io.weir.internal.redis.connection;

import io.weir.internal.redis.address.RedisSettings;
import java.io.File;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/** Loads the trusted certificates: those of the JVM, or those of a trust store. */
final class TrustStore {
  private TrustStore() {}

  static SSLSocketFactory of(RedisSettings settings) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      if (settings.get(RedisSettings.TRUST_STORE).isBlank()) {
        trust.init((KeyStore) null);
      } else {
        trust.init(load(settings));
      }
      context.init(null, trust.getTrustManagers(), null);
      return context.getSocketFactory();
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "weir.store.redis.trust-store (with weir.store.redis.trust-store-password) must be a file"
              + " of type JKS or PKCS #12 with at least one certificate: "
              + e.getMessage(),
          e);
    }
  }

  private static KeyStore load(RedisSettings settings)
      throws IOException, GeneralSecurityException {
    String password = settings.get(RedisSettings.TRUST_STORE_PASSWORD);
    KeyStore store =
        KeyStore.getInstance(
            new File(settings.get(RedisSettings.TRUST_STORE).strip()),
            password.isEmpty() ? null : password.toCharArray());
    if (store.size() == 0) {
      throw new IOException("it contains no readable certificate");
    }
    return store;
  }
}
