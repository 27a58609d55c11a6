package io.weir.compat.stack;

import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import java.util.List;

/**
 * The endpoints of the checks as servlets, written as an application would: a class for each, at
 * the path of its {@code @WebServlet}. All support asynchronous responses, and limit {@code doGet}
 * alone: a limit on the class would count OPTIONS as well.
 */
public final class CheckedServlets {
  private static final long NO_TIMEOUT = 0;

  private CheckedServlets() {}

  /**
   * Lists the servlets, for stacks that don't look for annotations.
   *
   * @return classes with {@code @WebServlet}, which has one path
   */
  public static List<Class<? extends HttpServlet>> classes() {
    return List.of(
        Ip.class,
        User.class,
        KeyHeader.class,
        Async.class,
        Mapped.class,
        Failures.class,
        FailuresAsync.class,
        Unmapped.class,
        UnmappedSuccess.class,
        Free.class,
        Items.class);
  }

  /**
   * Returns the path of a servlet.
   *
   * @param servlet one of {@link #classes()}
   * @return such as {@code /ip}, or {@code /items/*}
   */
  public static String path(Class<? extends HttpServlet> servlet) {
    return servlet.getAnnotation(WebServlet.class).value()[0];
  }

  /** By address. */
  @WebServlet(value = "/ip", asyncSupported = true)
  public static class Ip extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    @RateLimit(limit = 3, window = 60, by = By.IP, name = "ip")
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  /** By user. */
  @WebServlet(value = "/user", asyncSupported = true)
  public static class User extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    @RateLimit(limit = 3, window = 60, by = By.USER, name = "user")
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  /** By a header field. */
  @WebServlet(value = "/key", asyncSupported = true)
  public static class KeyHeader extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    @RateLimit(limit = 3, window = 60, by = By.KEY, key = "header:X-Api-Key", name = "key")
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  /** Answers from another thread. */
  @WebServlet(value = "/async", asyncSupported = true)
  public static class Async extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    @RateLimit(limit = 3, window = 60, by = By.IP, name = "async")
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
      answerLater(request, response);
    }
  }

  /** Sends a 500. */
  @WebServlet(value = "/mapped", asyncSupported = true)
  public static class Mapped extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    @RateLimit(limit = 3, window = 60, by = By.IP, name = "mapped")
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.sendError(500);
    }
  }

  /** Succeeds or fails as it is told. */
  @WebServlet(value = "/failures", asyncSupported = true)
  public static class Failures extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "failures")
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  /** The same from another thread. */
  @WebServlet(value = "/failures-async", asyncSupported = true)
  public static class FailuresAsync extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "failures-async")
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
      answerLater(request, response);
    }
  }

  /** Throws. */
  @WebServlet(value = "/unmapped", asyncSupported = true)
  public static class Unmapped extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "unmapped")
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws ServletException {
      throw new ServletException("on purpose");
    }
  }

  /** The same, where only successes count. */
  @WebServlet(value = "/unmapped-success", asyncSupported = true)
  public static class UnmappedSuccess extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    @RateLimit(
        limit = 3,
        window = 60,
        by = By.IP,
        count = Count.SUCCESSES,
        name = "unmapped-success")
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws ServletException {
      throw new ServletException("on purpose");
    }
  }

  /** Without a limit. */
  @WebServlet(value = "/free", asyncSupported = true)
  public static class Free extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  /** Serves many paths, without a limit. */
  @WebServlet(value = "/items/*", asyncSupported = true)
  public static class Items extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  private static void answerLater(HttpServletRequest request, HttpServletResponse response) {
    AsyncContext async = request.startAsync();
    async.setTimeout(NO_TIMEOUT);
    Thread thread = new Thread(() -> answer(request, response, async), "checked-async");
    thread.setDaemon(true);
    thread.start();
  }

  private static void answer(
      HttpServletRequest request, HttpServletResponse response, AsyncContext async) {
    try {
      answer(request, response);
    } catch (IOException hungUp) {
      // the caller has gone
    } finally {
      async.complete();
    }
  }

  /** Answers with the status that the query names. */
  private static void answer(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if ("422".equals(request.getParameter("status"))) {
      response.sendError(422);
    } else {
      response.setContentType("text/plain");
      response.getWriter().print(request.getServletPath());
    }
  }

  /** Signs in the user that {@code X-User} names; mapped before Weir's filter, or between two. */
  public static class SignInFilter extends HttpFilter {
    private static final long serialVersionUID = 1;

    /** For the container. */
    public SignInFilter() {}

    @Override
    protected void doFilter(
        HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      String name = request.getHeader("X-User");
      chain.doFilter(name == null ? request : new SignedInRequest(request, name), response);
    }
  }

  private static final class SignedInRequest extends HttpServletRequestWrapper {
    private final Principal principal;

    SignedInRequest(HttpServletRequest request, String name) {
      super(request);
      this.principal = () -> name;
    }

    @Override
    public Principal getUserPrincipal() {
      return principal;
    }
  }
}
