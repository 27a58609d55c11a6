package io.weir.internal.server.access;

import io.weir.InvalidSettingException;
import io.weir.internal.control.access.ServerOrigins;
import io.weir.internal.control.http.BoundedHttpClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Makes sources that read keys from a file or an address: at most 256 KiB, within 5 s. */
public final class JwtKeySourceFactory {
  private static final int MAX_BYTES = 256 * 1024;
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int OK = 200;

  private JwtKeySourceFactory() {}

  /**
   * Makes the source of a setting.
   *
   * @param place an address or a file
   * @throws InvalidSettingException if keys would come from another machine without TLS
   */
  public static JwtKeySource of(String place) {
    return of(place, TIMEOUT);
  }

  static JwtKeySource of(String place, Duration patience) {
    if (!place.startsWith("http:") && !place.startsWith("https:")) {
      Path file = Path.of(place);
      return () -> {
        try (InputStream in = Files.newInputStream(file)) {
          return text(in);
        }
      };
    }
    URI address = URI.create(place);
    boolean isPlain = place.startsWith("http:");
    if (address.getHost() == null || isPlain && !ServerOrigins.isLoopback(address.getHost())) {
      throw new InvalidSettingException(
          "weir.server.jwt.keys must be an https address, an http address of this machine, or a"
              + " file");
    }
    BoundedHttpClient exchange = new BoundedHttpClient(patience, MAX_BYTES);
    HttpRequest request = HttpRequest.newBuilder(address).build();
    return () -> {
      BoundedHttpClient.Answer answer = exchange.send(request);
      if (answer.status() != OK) {
        throw new IOException("the request for the keys got status " + answer.status());
      }
      byte[] body =
          answer
              .body()
              .orElseThrow(
                  () ->
                      new IOException(
                          "the keys didn't arrive in time, or are larger than 256 KiB"));
      return new String(body, StandardCharsets.UTF_8);
    };
  }

  private static String text(InputStream in) throws IOException {
    byte[] bytes = in.readNBytes(MAX_BYTES + 1);
    if (bytes.length > MAX_BYTES) {
      throw new IOException("the keys are larger than 256 KiB");
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
