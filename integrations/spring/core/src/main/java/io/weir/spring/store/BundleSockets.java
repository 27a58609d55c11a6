package io.weir.spring.store;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Objects;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslOptions;

/**
 * Makes encrypted sockets with the certificates, protocols and ciphers of an SSL bundle. A bundle
 * that was reloaded applies from the next connection on.
 *
 * <p>Safe for concurrent use.
 */
final class BundleSockets implements Supplier<SSLSocketFactory> {
  private final Supplier<SslBundle> bundle;
  private volatile @Nullable Made last;

  private record Made(SslBundle bundle, SSLSocketFactory factory) {}

  BundleSockets(Supplier<SslBundle> bundle) {
    this.bundle = bundle;
  }

  @Override
  public SSLSocketFactory get() {
    SslBundle now = bundle.get();
    Made known = last;
    if (known == null || known.bundle != now) {
      known = new Made(now, new Factory(now));
      last = known;
    }
    return known.factory;
  }

  private static final class Factory extends SSLSocketFactory {
    private final SSLSocketFactory factory;
    private final SslOptions options;

    Factory(SslBundle bundle) {
      this.factory = bundle.createSslContext().getSocketFactory();
      this.options = Objects.requireNonNullElse(bundle.getOptions(), SslOptions.NONE);
    }

    private Socket set(Socket made) {
      SSLSocket socket = (SSLSocket) made;
      String[] protocols = options.getEnabledProtocols();
      if (protocols != null) {
        socket.setEnabledProtocols(protocols);
      }
      String[] ciphers = options.getCiphers();
      if (ciphers != null) {
        socket.setEnabledCipherSuites(ciphers);
      }
      return socket;
    }

    @Override
    public Socket createSocket(Socket plain, String host, int port, boolean closesPlain)
        throws IOException {
      return set(factory.createSocket(plain, host, port, closesPlain));
    }

    @Override
    public Socket createSocket() throws IOException {
      return set(factory.createSocket());
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
      return set(factory.createSocket(host, port));
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress own, int ownPort)
        throws IOException {
      return set(factory.createSocket(host, port, own, ownPort));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
      return set(factory.createSocket(host, port));
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress own, int ownPort)
        throws IOException {
      return set(factory.createSocket(host, port, own, ownPort));
    }

    @Override
    public String[] getDefaultCipherSuites() {
      return factory.getDefaultCipherSuites();
    }

    @Override
    public String[] getSupportedCipherSuites() {
      return factory.getSupportedCipherSuites();
    }
  }
}
