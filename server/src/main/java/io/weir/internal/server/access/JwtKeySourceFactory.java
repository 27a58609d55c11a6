package io.weir.internal.server.access;

import io.weir.InvalidSettingException;
import io.weir.internal.control.access.OwnSite;
import io.weir.internal.control.http.BoundedExchange;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Where keys come from: a file, or an address. At most 256 KiB are read, within five seconds. */
public final class JwtKeySourceFactory {
  private static final int MOST_BYTES = 256 * 1024;
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int OK = 200;

  private JwtKeySourceFactory() {}

  /**
   * The source that a setting names.
   *
   * @param place an address or a file
   * @return a source that hasn't been read yet
   * @throws InvalidSettingException if keys would come over HTTP without TLS from another machine
   */
  public static JwtKeySource of(String place) {
    return of(place, PATIENCE);
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
    if (address.getHost() == null || isPlain && !OwnSite.isLoopback(address.getHost())) {
      throw new InvalidSettingException(
          "weir.server.jwt.keys is an address of https, or of http on this machine, or a file");
    }
    BoundedExchange exchange = new BoundedExchange(patience, MOST_BYTES);
    HttpRequest request = HttpRequest.newBuilder(address).build();
    return () -> {
      BoundedExchange.Answer answer = exchange.send(request);
      if (answer.status() != OK) {
        throw new IOException("the keys were answered with status " + answer.status());
      }
      byte[] body =
          answer
              .body()
              .orElseThrow(
                  () ->
                      new IOException(
                          "the keys aren't complete in time, or have more than 256 KiB"));
      return new String(body, StandardCharsets.UTF_8);
    };
  }

  private static String text(InputStream in) throws IOException {
    byte[] bytes = in.readNBytes(MOST_BYTES + 1);
    if (bytes.length > MOST_BYTES) {
      throw new IOException("more than 256 KiB of keys");
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
