package io.weir.spring.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.cors.DefaultCorsProcessor;

/** The rules of an application for callers from other origins. */
final class CrossOriginRules {
  private static final Logger LOG = System.getLogger("io.weir.spring.web");

  private CrossOriginRules() {}

  /**
   * Lets a caller from another origin read the refusal, if it may read the response. Rules of the
   * application that fail, such as those that need the user, let nobody read it.
   */
  static void apply(
      @Nullable CorsConfigurationSource rules,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    if (rules == null) {
      return;
    }
    try {
      @Nullable CorsConfiguration rule = rules.getCorsConfiguration(request);
      if (rule != null && rule.checkOrigin(request.getHeader(HttpHeaders.ORIGIN)) != null) {
        new DefaultCorsProcessor().processRequest(forAnyMethod(rule), request, response);
      }
    } catch (RuntimeException failure) {
      LOG.log(Level.DEBUG, "the rules for other origins failed before the sign-in: {0}", failure);
    }
  }

  /**
   * Copies rules for a refusal, which an allowed origin may read whatever method it has tried. With
   * the rules themselves Spring would answer 403 in its place, without the fields that say why.
   */
  private static CorsConfiguration forAnyMethod(CorsConfiguration rule) {
    CorsConfiguration copy = new CorsConfiguration(rule);
    copy.setAllowedMethods(List.of(CorsConfiguration.ALL));
    return copy;
  }
}
