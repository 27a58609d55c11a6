package io.weir.internal.server.tls;

import io.netty.handler.ssl.SslContextBuilder;

/** A certificate as what Netty's TLS wants. */
public final class NettyTls {
  private NettyTls() {}

  /**
   * Begins a context.
   *
   * @param certificate what clients are shown
   * @return a context for TLS 1.2 and 1.3
   */
  public static SslContextBuilder of(ServerCertificate certificate) {
    return SslContextBuilder.forServer(certificate.keyManager()).protocols("TLSv1.3", "TLSv1.2");
  }
}
