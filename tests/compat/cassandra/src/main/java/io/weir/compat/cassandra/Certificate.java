package io.weir.compat.cassandra;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate that its owner signed, as a store that holds the key as well: for the server to
 * show, and for clients to trust.
 *
 * <p>Immutable.
 */
public final class Certificate {
  /** The password of the store. */
  public static final String PASSWORD = "trust me";

  private final Path store;

  private Certificate(Path store) {
    this.store = store;
  }

  /**
   * Makes one.
   *
   * @param directory where its file is written
   * @param name what it is for, such as {@code ip:127.0.0.1} or {@code dns:elsewhere.example}
   * @return the certificate
   */
  public static Certificate make(Path directory, String name) {
    Path store = directory.resolve("trust.p12");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
    command.addAll(List.of("-genkeypair", "-keyalg", "EC", "-dname", "CN=test"));
    command.addAll(List.of("-alias", "cassandra", "-ext", "san=" + name));
    command.addAll(List.of("-storetype", "PKCS12", "-keystore", store.toString()));
    command.addAll(List.of("-storepass", PASSWORD));
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(Redirect.DISCARD)
              .start();
      if (process.waitFor() != 0) {
        throw new IllegalStateException("keytool failed");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return new Certificate(store);
  }

  /**
   * Returns the trust store for clients.
   *
   * @return a PKCS #12 file
   */
  public Path trustStore() {
    return store;
  }

  /** Returns the value of {@code client_encryption_options} that has a server present it. */
  String encryption() {
    return "{enabled: true, optional: false, store_type: PKCS12, keystore: \""
        + store
        + "\", keystore_password: \""
        + PASSWORD
        + "\"}";
  }

  /** For a client that trusts it and nothing else. */
  SSLContext client() {
    try (InputStream stream = Files.newInputStream(store)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(stream, PASSWORD.toCharArray());
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      trusted.setCertificateEntry("cassandra", keys.getCertificate("cassandra"));
      TrustManagerFactory managers =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers.getTrustManagers(), null);
      return context;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
