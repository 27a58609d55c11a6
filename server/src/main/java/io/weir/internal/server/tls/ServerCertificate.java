package io.weir.internal.server.tls;

import io.weir.InvalidSettingException;
import io.weir.internal.threads.DaemonThreads;
import io.weir.internal.threads.PeriodicTask;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The certificate of all doors. Its files are looked at every ten seconds; when they have changed,
 * new connections get the new one. Files that can't be used are told once, and the certificate
 * before stays in force.
 *
 * <p>Safe for concurrent use.
 */
public final class ServerCertificate implements AutoCloseable {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final Duration EVERY = Duration.ofSeconds(10);

  private final TlsFiles files;
  private final PeriodicTask task;
  private volatile X509ExtendedKeyManager current;

  /**
   * What was in force before: a handshake chooses a name first and asks for what it names
   * afterwards.
   */
  private volatile X509ExtendedKeyManager before;

  private int versions;

  /** What was read last; with {@code versions} confined to the thread that looks, once it runs. */
  private Contents contents;

  /** Both files as they are, since they are replaced one after the other. */
  private record Contents(String certificate, String key) {
    static Contents of(TlsFiles files) throws IOException {
      return new Contents(
          Files.readString(files.certificate(), StandardCharsets.ISO_8859_1),
          Files.readString(files.key(), StandardCharsets.ISO_8859_1));
    }
  }

  private ServerCertificate(TlsFiles files, Duration every) {
    this.files = files;
    try {
      this.contents = Contents.of(files);
    } catch (IOException unreadable) {
      throw new InvalidSettingException(
          "weir.server.tls.certificate can't be used: " + unreadable.getMessage());
    }
    this.current = manager(contents);
    this.before = current;
    this.task = PeriodicTask.start(DaemonThreads.named("weir-certificate"), every, every, this::look);
  }

  /**
   * Reads the files, and follows them until it is closed.
   *
   * @param files where they are
   * @return the certificate
   * @throws InvalidSettingException if they can't be used
   */
  public static ServerCertificate open(TlsFiles files) {
    return new ServerCertificate(files, EVERY);
  }

  static ServerCertificate open(TlsFiles files, Duration every) {
    return new ServerCertificate(files, every);
  }

  private X509ExtendedKeyManager manager(Contents read) {
    KeyStore store = PemKeyStore.read("weir-" + ++versions, read.certificate, read.key);
    try {
      KeyManagerFactory factory =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(store, new char[0]);
      for (KeyManager each : factory.getKeyManagers()) {
        if (each instanceof X509ExtendedKeyManager manager) {
          return manager;
        }
      }
      throw new IllegalStateException("Java has no X.509");
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private void look() {
    try {
      Contents now = Contents.of(files);
      if (!now.equals(contents)) {
        contents = now;
        X509ExtendedKeyManager next = manager(now);
        before = current;
        current = next;
        LOG.log(Level.INFO, "the certificate was read again from " + files.certificate());
      }
    } catch (IOException away) {
      LOG.log(Level.DEBUG, "the certificate can't be read just now: " + away);
    } catch (InvalidSettingException unusable) {
      LOG.log(
          Level.WARNING,
          "the files of the certificate have changed, and can't be used; the one before stays: "
              + unusable.getMessage());
    } catch (RuntimeException | Error mistake) {
      LOG.log(Level.ERROR, "the certificate can't be followed", mistake);
    }
  }

  /**
   * What TLS asks for the certificate, for each new connection.
   *
   * @return always the certificate that is in force
   */
  public X509ExtendedKeyManager keyManager() {
    return new Current();
  }

  /**
   * A context for servers that take Java's own.
   *
   * @return one that shows the certificate in force
   */
  public SSLContext context() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[] {keyManager()}, null, null);
      return context;
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Follows the files no more. Idempotent. */
  @Override
  public void close() {
    task.close();
  }

  /** Shows the certificate in force. */
  private final class Current extends X509ExtendedKeyManager {
    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
      return current.getServerAliases(keyType, issuers);
    }

    @Override
    public @Nullable String chooseServerAlias(
        String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return current.chooseServerAlias(keyType, issuers, socket);
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
        String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
      return current.chooseEngineServerAlias(keyType, issuers, engine);
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(@Nullable String alias) {
      X509Certificate[] chain = current.getCertificateChain(alias);
      return chain == null ? before.getCertificateChain(alias) : chain;
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(@Nullable String alias) {
      PrivateKey key = current.getPrivateKey(alias);
      return key == null ? before.getPrivateKey(alias) : key;
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
      return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
        String @Nullable [] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return null;
    }
  }
}
