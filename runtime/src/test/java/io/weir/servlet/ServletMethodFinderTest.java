package io.weir.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.annotation.RateLimit;
import io.weir.internal.policy.PolicyCatalog;
import jakarta.servlet.GenericServlet;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServletMethodFinderTest {
  static class Getter extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {}

    // An overload that overrides no doPost.
    void doPost(HttpServletRequest request) {}
  }

  static class Heir extends Getter {
    @Override
    protected void doHead(HttpServletRequest request, HttpServletResponse response) {}

    @Override
    protected void doOptions(HttpServletRequest request, HttpServletResponse response) {}
  }

  static class Wrapping extends Getter {
    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) {}
  }

  static class Limited extends Wrapping {
    @Override
    @RateLimit(limit = 1, window = 1)
    protected void service(HttpServletRequest request, HttpServletResponse response) {}
  }

  static class Inheriting extends Limited {
    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) {}
  }

  @Retention(RetentionPolicy.RUNTIME)
  @RateLimit(limit = 1, window = 1)
  @interface Tight {}

  static class Composed extends Getter {
    @Override
    @Tight
    public void service(ServletRequest request, ServletResponse response) {}
  }

  @Retention(RetentionPolicy.RUNTIME)
  @Tight
  @interface House {}

  static class Deeply extends Getter {
    @Override
    @House
    protected void service(HttpServletRequest request, HttpServletResponse response) {}
  }

  static class Generic extends GenericServlet {
    @Override
    public void service(ServletRequest request, ServletResponse response) {}
  }

  static class Silent extends HttpServlet {}

  @ParameterizedTest
  @CsvSource({
    "GET, Getter.doGet",
    "HEAD, Getter.doGet",
    "POST, none",
    "OPTIONS, none",
    "TRACE, none",
    "get, none",
    "PROPFIND, none",
  })
  void findsWhatHttpServletWouldCall(String httpMethod, String answering) {
    assertEquals(answering, answering(Getter.class, httpMethod));
  }

  @ParameterizedTest
  @CsvSource({"GET, Getter.doGet", "HEAD, Heir.doHead", "OPTIONS, Heir.doOptions", "PUT, none"})
  void prefersTheServletsOwnMethodsAndLooksInSuperclasses(String httpMethod, String answering) {
    assertEquals(answering, answering(Heir.class, httpMethod));
  }

  @Test
  void looksPastAServiceMethodThatOnlyWraps() {
    assertEquals("Getter.doGet", answering(Wrapping.class, "GET"));
    assertEquals("Wrapping.service", answering(Wrapping.class, "PROPFIND"));
  }

  @Test
  void takesAServiceMethodThatIsLimitedForEverything() {
    assertEquals("Limited.service", answering(Limited.class, "GET"));
    assertEquals("Limited.service", answering(Limited.class, "PROPFIND"));
    assertEquals("Inheriting.service", answering(Inheriting.class, "GET"));
    assertEquals("Composed.service", answering(Composed.class, "GET"));
    assertEquals("Deeply.service", answering(Deeply.class, "GET"));
  }

  @Test
  void takesTheServiceMethodOfAServletThatIsNoHttpServlet() {
    assertEquals("Generic.service", answering(Generic.class, "GET"));
  }

  @Test
  void findsNothingWhereOnlyHttpServletAnswers() {
    assertEquals("none", answering(Silent.class, "GET"));
  }

  private static String answering(Class<?> servlet, String httpMethod) {
    return ServletMethodFinder.answering(servlet, httpMethod, PolicyCatalog::isAnnotated)
        .map(method -> method.getDeclaringClass().getSimpleName() + "." + method.getName())
        .orElse("none");
  }
}
