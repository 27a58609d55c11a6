package io.weir.compat.stacks.spring;

import io.weir.compat.stacks.spring.mvc.MvcApplication;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.filter.OncePerRequestFilter;

/** The application on Spring MVC and Tomcat, each request in a virtual thread of its own. */
public final class VirtualThreadsMain {
  private VirtualThreadsMain() {}

  public static void main(String[] args) throws IOException {
    SpringServer.run("Tomcat", MvcApplication.class, OnlyVirtualThreads.class);
  }

  /**
   * Fails each request that another thread runs, so that the checks are about virtual ones. Calls
   * what Java 21 has by reflection, since the module is compiled for 17.
   */
  @Order(Ordered.HIGHEST_PRECEDENCE)
  static final class OnlyVirtualThreads extends OncePerRequestFilter {
    @Override
    protected void doFilterInternal(
        HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws ServletException, IOException {
      if (!isVirtual(Thread.currentThread())) {
        throw new IllegalStateException(Thread.currentThread() + " isn't a virtual thread");
      }
      chain.doFilter(request, response);
    }

    private static boolean isVirtual(Thread thread) {
      try {
        return (boolean) Thread.class.getMethod("isVirtual").invoke(thread);
      } catch (ReflectiveOperationException olderJava) {
        throw new IllegalStateException(olderJava);
      }
    }
  }
}
