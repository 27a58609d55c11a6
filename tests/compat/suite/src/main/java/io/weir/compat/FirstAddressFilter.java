package io.weir.compat;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.util.Collections;
import java.util.Enumeration;

/**
 * Reports the first address in {@code X-Forwarded-For} as the caller's, whoever has sent it, and
 * hides the field from the application, as Spring's {@code ForwardedHeaderFilter} does.
 */
public final class FirstAddressFilter implements Filter {
  private static final String FIELD = "X-Forwarded-For";

  /** For containers and tests. */
  public FirstAddressFilter() {}

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest http = (HttpServletRequest) request;
    chain.doFilter(http.getHeader(FIELD) == null ? http : new Claimed(http), response);
  }

  /** The request as the filter reports it. */
  public static final class Claimed extends HttpServletRequestWrapper {
    private final String address;

    Claimed(HttpServletRequest request) {
      super(request);
      this.address = request.getHeader(FIELD).split(",", -1)[0].trim();
    }

    @Override
    public String getRemoteAddr() {
      return address;
    }

    @Override
    public String getHeader(String name) {
      return name.equalsIgnoreCase(FIELD) ? null : super.getHeader(name);
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
      return name.equalsIgnoreCase(FIELD) ? Collections.emptyEnumeration() : super.getHeaders(name);
    }

    @Override
    public Enumeration<String> getHeaderNames() {
      return Collections.enumeration(
          Collections.list(super.getHeaderNames()).stream()
              .filter(name -> !name.equalsIgnoreCase(FIELD))
              .toList());
    }
  }
}
