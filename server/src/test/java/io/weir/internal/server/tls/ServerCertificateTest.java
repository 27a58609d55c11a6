package io.weir.internal.server.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.weir.compat.redis.Await;
import io.weir.compat.redis.Certificate;
import io.weir.seeds.OneDayIn;
import io.weir.test.log.LogLines;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests certificates that are replaced while the server runs. */
@OneDayIn(2)
class ServerCertificateTest {
  private static final Duration OFTEN = Duration.ofMillis(20);

  @TempDir private Path folder;
  private TlsFiles files;

  @BeforeEach
  void make() {
    Certificate.make(folder, "ip:127.0.0.1");
    files = new TlsFiles(folder.resolve("cert.pem"), folder.resolve("key.pem"));
  }

  private static BigInteger shown(X509ExtendedKeyManager manager) {
    String alias = manager.chooseEngineServerAlias("EC", null, null);
    X509Certificate[] chain = manager.getCertificateChain(alias);
    return chain[0].getSerialNumber();
  }

  private Path another() throws IOException {
    Path other = Files.createTempDirectory(folder, "other");
    Certificate.make(other, "ip:127.0.0.1");
    return other;
  }

  private void replace(Path other, String file) throws IOException {
    Files.move(other.resolve(file), folder.resolve(file), StandardCopyOption.REPLACE_EXISTING);
  }

  @Test
  void newFilesTakeEffectOnceBothAreThere() throws Exception {
    try (ServerCertificate certificate = ServerCertificate.open(files, OFTEN)) {
      X509ExtendedKeyManager manager = certificate.keyManager();
      String before = manager.chooseEngineServerAlias("EC", null, null);
      BigInteger first = shown(manager);
      Path other = another();
      try (LogLines log = new LogLines()) {
        replace(other, "cert.pem");
        Await.until("it is logged", () -> !log.containing("can't be used").isEmpty());
        assertEquals(first, shown(manager), "a certificate without its key isn't shown");
        replace(other, "key.pem");
        Await.until("the new one is shown", () -> !shown(manager).equals(first));
      }
      assertEquals(first, manager.getCertificateChain(before)[0].getSerialNumber());
      assertNotEquals(
          manager.getPrivateKey(before),
          manager.getPrivateKey(manager.chooseEngineServerAlias("EC", null, null)));
    }
  }

  @Test
  void handshakesGetTheNewOne() throws Exception {
    try (ServerCertificate certificate = ServerCertificate.open(files, OFTEN)) {
      SSLContext server = certificate.context();
      BigInteger first = seen(server);
      Path other = another();
      replace(other, "cert.pem");
      replace(other, "key.pem");
      Await.until("new connections get the new one", () -> !seen(server).equals(first));
    }
  }

  /** The certificate that a client is shown over TLS. */
  private static BigInteger seen(SSLContext server) {
    try (SSLServerSocket listening =
        (SSLServerSocket) server.getServerSocketFactory().createServerSocket(0)) {
      Thread accepting =
          new Thread(
              () -> {
                try (SSLSocket socket = (SSLSocket) listening.accept()) {
                  socket.startHandshake();
                } catch (IOException failed) {
                  // the client fails as well
                }
              });
      accepting.start();
      SSLContext client = SSLContext.getInstance("TLS");
      client.init(null, new TrustManager[] {new TrustsAll()}, null);
      try (SSLSocket socket =
          (SSLSocket)
              client.getSocketFactory().createSocket("127.0.0.1", listening.getLocalPort())) {
        socket.startHandshake();
        X509Certificate shown = (X509Certificate) socket.getSession().getPeerCertificates()[0];
        return shown.getSerialNumber();
      } finally {
        accepting.join();
      }
    } catch (Exception failed) {
      throw new AssertionError(failed);
    }
  }

  /** Looks at what it is shown afterwards. */
  private static final class TrustsAll implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
