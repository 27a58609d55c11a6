package io.weir.example.jersey;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.Context;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Rejects a query that can't be decoded; Jersey would misread it. */
@PreMatching
public class QueryFilter implements ContainerRequestFilter {
  @Context private @Nullable HttpServletRequest original;

  @Override
  public void filter(ContainerRequestContext request) {
    @Nullable String query = Objects.requireNonNull(original).getQueryString();
    try {
      URLDecoder.decode(query == null ? "" : query, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException malformed) {
      throw JsonAnswers.badRequest("the query can't be decoded");
    }
  }
}
