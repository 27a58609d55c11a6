package io.weir.spring.server;

import io.weir.servlet.ServletPeer;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.Collections;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.jspecify.annotations.Nullable;

/**
 * Notes the address of the connection and the fields of proxies as Tomcat received them, before a
 * {@code RemoteIpValve} replaces both. The first valve of the engine.
 *
 * <p>Safe for concurrent use.
 */
public final class ArrivalValve extends ValveBase {
  /** Makes a valve that lets asynchronous requests pass. */
  public ArrivalValve() {
    super(true);
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    // An asynchronous dispatch passes all valves again, with an address that was replaced.
    if (request.getAttribute(ServletPeer.ATTRIBUTE) == null) {
      note(request);
    }
    getNext().invoke(request, response);
  }

  private static void note(Request request) {
    @Nullable String address = request.getRemoteAddr();
    if (address != null) {
      request.setAttribute(
          ServletPeer.ATTRIBUTE,
          ServletPeer.arrival(address, name -> Collections.list(request.getHeaders(name))));
    }
  }
}
