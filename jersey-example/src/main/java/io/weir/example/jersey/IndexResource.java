package io.weir.example.jersey;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Serves a page that lists the endpoints, with a curl command for each. */
@Path("/")
public class IndexResource {
  @GET
  @Produces(MediaType.TEXT_HTML + ";charset=utf-8")
  public String index(@Context UriInfo uri) {
    String base = uri.getBaseUri().toString();
    return page().replace("{base}", base.substring(0, base.length() - 1));
  }

  private static String page() {
    try (InputStream page = IndexResource.class.getResourceAsStream("index.html")) {
      return new String(Objects.requireNonNull(page).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
