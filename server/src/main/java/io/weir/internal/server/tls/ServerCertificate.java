package io.weir.internal.server.tls;

import io.weir.InvalidSettingException;
import io.weir.internal.threads.DaemonThreadFactory;
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
 * The certificate of all listeners. Its files are read every ten seconds; when they have changed,
 * new connections get the new certificate. Unusable files are logged once, and the previous
 * certificate stays in force.
 *
 * <p>Safe for concurrent use.
 */
public final class ServerCertificate implements AutoCloseable {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final Duration EVERY = Duration.ofSeconds(10);

  private final TlsFiles files;
  private final PeriodicTask task;
  private volatile X509ExtendedKeyManager current;

  /** The previous one, because a handshake chooses an alias first and asks for its key later. */
  private volatile X509ExtendedKeyManager previous;

  private int versions;

  /** The contents read last; like {@code versions}, confined to the task's thread once it runs. */
  private Contents contents;

  /** The contents of both files, since they are replaced one after the other. */
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
    this.previous = current;
    this.task =
        PeriodicTask.start(
            DaemonThreadFactory.named("weir-certificate"), every, every, this::reload);
  }

  /**
   * Reads the files, and follows them until it is closed.
   *
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

  private void reload() {
    try {
      Contents now = Contents.of(files);
      if (!now.equals(contents)) {
        contents = now;
        X509ExtendedKeyManager next = manager(now);
        previous = current;
        current = next;
        LOG.log(Level.INFO, "loaded a new certificate from " + files.certificate());
      }
    } catch (IOException away) {
      LOG.log(
          Level.DEBUG, "the certificate can't be read, so the previous one stays in use: " + away);
    } catch (InvalidSettingException unusable) {
      LOG.log(
          Level.WARNING,
          "the files of the certificate have changed and can't be used, so the previous"
              + " certificate stays in use: "
              + unusable.getMessage());
    } catch (RuntimeException | Error mistake) {
      LOG.log(Level.ERROR, "the certificate can't be read again", mistake);
    }
  }

  /** Returns a manager that gives each new connection the certificate in force. */
  public X509ExtendedKeyManager keyManager() {
    return new Current();
  }

  /** Makes a context for servers that use Java's TLS, with the certificate in force. */
  public SSLContext context() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[] {keyManager()}, null, null);
      return context;
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Stops following the files. Idempotent. */
  @Override
  public void close() {
    task.close();
  }

  /** Delegates to the certificate in force. */
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
      return chain == null ? previous.getCertificateChain(alias) : chain;
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(@Nullable String alias) {
      PrivateKey key = current.getPrivateKey(alias);
      return key == null ? previous.getPrivateKey(alias) : key;
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
