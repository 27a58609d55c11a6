package io.weir.compat.console;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;

// docs/jaxrs.md shows what follows

@PreMatching
public class CorsFilter implements ContainerRequestFilter, ContainerResponseFilter {
  private final String origin;

  public CorsFilter(String origin) {
    this.origin = origin;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    if (request.getMethod().equals("OPTIONS")
        && request.getHeaderString("Access-Control-Request-Method") != null) {
      request.abortWith(Response.noContent().build());
    }
  }

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    if (origin.equals(request.getHeaderString("Origin"))) {
      MultivaluedMap<String, Object> fields = response.getHeaders();
      fields.putSingle("Access-Control-Allow-Origin", origin);
      fields.putSingle("Access-Control-Allow-Headers", "content-type");
      fields.putSingle("Access-Control-Expose-Headers", "RateLimit, RateLimit-Policy, Retry-After");
      fields.add("Vary", "Origin");
    }
  }
}
