package io.weir.compat.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A certificate that its owner signed, for 127.0.0.1 or for another host: as a trust store, which
 * holds the key as well, and as the PEM files that a server reads.
 *
 * <p>Immutable.
 */
public final class Certificate {
  /** The password of the trust store. */
  public static final String PASSWORD = "trust me";

  private static final String ALIAS = "redis";

  private final Path directory;

  private Certificate(Path directory) {
    this.directory = directory;
  }

  /**
   * Makes one.
   *
   * @param directory where its files are written
   * @param name what it is for, such as {@code ip:127.0.0.1} or {@code dns:elsewhere.example}
   * @return the certificate
   */
  public static Certificate make(Path directory, String name) {
    Certificate made = new Certificate(directory);
    try {
      made.keytool(name);
      made.writePem();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return made;
  }

  private void keytool(String name) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
    command.addAll(List.of("-genkeypair", "-keyalg", "EC", "-dname", "CN=test", "-alias", ALIAS));
    command.addAll(List.of("-ext", "san=" + name, "-storetype", "PKCS12"));
    command.addAll(List.of("-keystore", trustStore().toString(), "-storepass", PASSWORD));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(Redirect.DISCARD)
            .start();
    if (process.waitFor() != 0) {
      throw new IllegalStateException("keytool failed");
    }
  }

  private void writePem() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(trustStore().toFile(), PASSWORD.toCharArray());
    write(pem(), "CERTIFICATE", store.getCertificate(ALIAS).getEncoded());
    write(key(), "PRIVATE KEY", store.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded());
    Files.setPosixFilePermissions(key(), PosixFilePermissions.fromString("rw-------"));
  }

  private static void write(Path file, String kind, byte[] bytes) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    Files.write(
        file,
        ("-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n")
            .getBytes(US_ASCII));
  }

  /**
   * Returns the trust store for clients.
   *
   * @return a PKCS #12 file
   */
  public Path trustStore() {
    return directory.resolve("trust.p12");
  }

  /**
   * Returns the certificate, for servers and for clients that trust it.
   *
   * @return a PEM file
   */
  public Path pem() {
    return directory.resolve("cert.pem");
  }

  /**
   * Returns the key, for servers. Nobody else may read it, or PostgreSQL would refuse it.
   *
   * @return a PEM file (PKCS #8)
   */
  public Path key() {
    return directory.resolve("key.pem");
  }

  /**
   * Returns the configuration that has a server present it.
   *
   * @param port where it listens for TLS beside its plain port
   * @return lines of redis.conf
   */
  public String[] config(int port) {
    return new String[] {
      "tls-port " + port,
      "tls-cert-file " + pem(),
      "tls-key-file " + key(),
      "tls-ca-cert-file " + pem(),
      "tls-auth-clients no"
    };
  }
}
