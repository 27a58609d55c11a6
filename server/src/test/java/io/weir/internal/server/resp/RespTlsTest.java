package io.weir.internal.server.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.redis.Certificate;
import io.weir.internal.server.tls.NettyTls;
import io.weir.internal.server.tls.ServerCertificate;
import io.weir.internal.server.tls.TlsFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Random;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests misbehaving clients of the Redis protocol over TLS. */
class RespTlsTest {
  private static final int NOT_AT_ONCE_MILLIS = 8_000; // a handshake has ten seconds

  @TempDir private Path folder;

  private final LateBuckets buckets = new LateBuckets();
  private ServerCertificate certificate;
  private RespServer server;

  @BeforeEach
  void start() throws IOException {
    Certificate.make(folder, "ip:127.0.0.1");
    certificate =
        ServerCertificate.open(new TlsFiles(folder.resolve("cert.pem"), folder.resolve("key.pem")));
    server =
        RespServer.builder(new NothingLimits(), buckets)
            .open(true)
            .limits(RespLimits.DEFAULT.withConnections(1))
            .tls(NettyTls.of(certificate).build())
            .start();
  }

  @AfterEach
  void stop() {
    server.close();
    certificate.close();
  }

  private SSLSocket shakeHands() throws IOException, GeneralSecurityException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry(
        "it",
        CertificateFactory.getInstance("X.509")
            .generateCertificate(Files.newInputStream(folder.resolve("cert.pem"))));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", server.port());
  }

  /** Else as many as anybody opens would stay until the handshake's time is over. */
  @Test
  void aConnectionTooManyIsClosedAtOnceThoughItShakesNoHands() throws Exception {
    try (SSLSocket first = shakeHands()) {
      first.startHandshake();
      try (RespLine silent = new RespLine(server.port())) {
        silent.socket.setSoTimeout(NOT_AT_ONCE_MILLIS);
        assertTrue(silent.isClosed());
      }
      assertEquals(1, server.connections());
    }
  }

  @Test
  void whoSendsNothingMoreGetsWhatIsStillToCome() throws Exception {
    try (SSLSocket half = shakeHands()) {
      half.getOutputStream()
          .write("RL.REDUCE a 2 60\r\nPING\r\n".getBytes(StandardCharsets.US_ASCII));
      half.shutdownOutput();
      while (buckets.waiting() == 0) {
        Thread.onSpinWait();
      }
      buckets.reply(new Random(1), 1);
      assertEquals(
          ":2\r\n+PONG\r\n",
          new String(half.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
    }
  }
}
