package io.weir.internal.server.tls;

import io.netty.handler.ssl.SslContextBuilder;

/** Makes contexts for Netty's TLS from a certificate. */
public final class NettyTls {
  private NettyTls() {}

  /** Starts a context for TLS 1.2 and 1.3. */
  public static SslContextBuilder of(ServerCertificate certificate) {
    return SslContextBuilder.forServer(certificate.keyManager()).protocols("TLSv1.3", "TLSv1.2");
  }
}
