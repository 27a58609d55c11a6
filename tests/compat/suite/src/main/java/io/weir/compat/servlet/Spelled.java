package io.weir.compat.servlet;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** A servlet whose path has many spellings. */
final class Spelled extends CountingServlet {
  /** Request targets that mean it, might mean it, or look as if they did. */
  static final List<String> SPELLINGS =
      List.of(
          "/app/api/hello",
          "/app/API/hello",
          "/app/api/Hello",
          "/APP/api/hello",
          "/app/api/hello/",
          "/app/api/hello//",
          "//app/api/hello",
          "/app//api/hello",
          "/app/api//hello",
          "/app/api///hello",
          "/app/./api/hello",
          "/app/api/./hello",
          "/app/api/hello/.",
          "/app/api/hello/..",
          "/app/api/hello/x/..",
          "/app/x/../api/hello",
          "/app/../app/api/hello",
          "/../app/api/hello",
          "/app/api/../../app/api/hello",
          "/app/%2e/api/hello",
          "/app/api/%2E/hello",
          "/app/x/%2e%2e/api/hello",
          "/app/x/.%2e/api/hello",
          "/app/api/%68ello",
          "/app/api/hell%6F",
          "/app/%61pi/hello",
          "/%61pp/api/hello",
          "/app/api/%2568ello",
          "/app/api/hello;jsessionid=1",
          "/app/api/hello;",
          "/app/api/hello;a=b;c=d/",
          "/app/api;v=1/hello",
          "/app;v=1/api/hello",
          "/app/;/api/hello",
          "/app/api/..;/api/hello",
          "/app/api/hello%3B",
          "/app/api/hello%3bjsessionid=1",
          "/app/api/hello%20",
          "/app/api/hello%00",
          "/app/api/hello%0a",
          "/app/api/hello%09",
          "/app/api%2Fhello",
          "/app/api%2fhello",
          "/app/api%5Chello",
          "/app/api\\hello",
          "/app/api/hello?x=1",
          "/app/api/hello?",
          "/app/api/hello??;/..",
          "/app/api/hello%3F",
          "/app/api/hello#fragment",
          "/app/api/hello%23",
          "/app/api/h%C3%A9llo",
          "/app/api/%c0%afhello",
          "/app/api/%c1%a8ello",
          "/app/api/%u0068ello",
          "/app/api/%zzhello",
          "/app/api/hello%",
          "/app/api/hello%6",
          "/app/api/h\u00e9llo",
          "/app/api/hello/extra",
          "/app/api/hello.do",
          "/app/api/items",
          "/app/api/items/",
          "/app/api/items/1",
          "/app/api/items//1",
          "/app/api/items/%2e%2e/items/2",
          "/app/api/items/a%2Fb",
          "/app/api/items;a=b/1",
          "/app/api/items/;a=b/../hello",
          "/app/api/items/..;/hello",
          "/app/api/items/%2e%2e%2fhello",
          "/app/any/thing.do",
          "/app/thing.DO",
          "/app/thing%2edo",
          "/app/thing.do;x",
          "/app/thing.do/",
          "http://localhost/app/api/hello",
          "HTTP://LOCALHOST/app/api/hello",
          "http://other.example/app/api/hello",
          "http://localhost:1/app/api/%68ello?x",
          "http://user@localhost/app/api/hello",
          "app/api/hello",
          "*");

  /** Request targets that mean a probe at {@code /healthz} or {@code /health/*}, or seem to. */
  static final List<String> OF_PROBES =
      List.of(
          "/app/healthz",
          "/app/HEALTHZ",
          "/app/healthz/",
          "/app/healthz?x=1",
          "/app/healthz;jsessionid=1",
          "/app/healthz;/../search/1",
          "/app/healthz/..;/search/1",
          "/app/healthz/../search/1",
          "/app/healthz/%2e%2e/search/1",
          "/app/healthz%2f..%2fsearch/1",
          "/app/healthz%3b/../search/1",
          "/app/%68ealthz",
          "//app/healthz",
          "/app//healthz",
          "/app/search/../healthz",
          "/app/search/..;/healthz",
          "/app/search/%2e%2e/healthz",
          "/app/search/..%2fhealthz",
          "/app/search;/healthz",
          "/app/search/healthz",
          "/app/search/1;/../../healthz",
          "/app/search/1?/../../healthz",
          "/app/search/1#/../../healthz",
          "/app/health",
          "/app/health/live",
          "/app/health/live;x=1",
          "/app/Health/live",
          "/app/health/a/../live",
          "/app/health/../search/1",
          "/app/health/../../app/search/1",
          "/app/health/..;/search/1",
          "/app/health/;/../search/1",
          "/app/health/%2e%2e/search/1",
          "/app/health/..%2fsearch/1",
          "/app/health/..%5csearch/1",
          "/app/health/..\\search/1",
          "/app/health//live",
          "/app/health/a%2Fb",
          "/app/health/a%3Bb",
          "/app/search/files/../status",
          "/app/search/files/..;/status",
          "/app/search/files/%2e%2e/status",
          "/app/search;x=1/status");

  /** Returns whether code that reads the path as it was sent may read it in another way. */
  static boolean isAmbiguous(String spelling) {
    return spelling.matches("[^?#]*(//|;|%[235]|\\\\|/[.][.]).*");
  }

  @Override
  @RateLimit(
      limit = 1_000_000,
      window = 1,
      unit = ChronoUnit.HOURS,
      by = By.ENDPOINT,
      name = "spelled")
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    answer(request, response);
  }
}
