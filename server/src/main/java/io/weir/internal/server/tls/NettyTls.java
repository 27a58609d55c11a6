package io.weir.internal.server.tls;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.weir.InvalidSettingException;
import javax.net.ssl.SSLException;

/** PEM files as what Netty's TLS wants. */
public final class NettyTls {
  private NettyTls() {}

  /**
   * Reads the files.
   *
   * @param files the files
   * @return a context for TLS 1.2 and 1.3
   * @throws InvalidSettingException if they can't be used
   */
  public static SslContext of(TlsFiles files) {
    try {
      return SslContextBuilder.forServer(files.certificate().toFile(), files.key().toFile())
          .protocols("TLSv1.3", "TLSv1.2")
          .build();
    } catch (SSLException | IllegalArgumentException unusable) {
      throw new InvalidSettingException(
          "weir.server.tls.certificate can't be used: " + unusable.getMessage());
    }
  }
}
