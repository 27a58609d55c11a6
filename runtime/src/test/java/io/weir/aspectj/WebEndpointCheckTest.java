package io.weir.aspectj;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.http.HttpServlet;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebEndpointCheckTest {
  static class Plain {
    public void anything() {}
  }

  static class Servlet extends HttpServlet {
    @Override
    public void init() {}
  }

  @Path("/")
  static class Resource {
    @GET
    public void answers() {}

    public void helps() {}
  }

  interface Api {
    @GET
    void answers();
  }

  static class Implementation implements Api {
    @Override
    public void answers() {}

    public void helps() {}
  }

  static class Heir extends Resource {
    @Override
    public void answers() {}
  }

  @ParameterizedTest
  @CsvSource({
    "Plain, anything, true",
    "Servlet, init, false",
    "Resource, answers, true",
    "Resource, helps, false",
    "Implementation, answers, true",
    "Implementation, helps, false",
    "Heir, answers, true"
  })
  void aClassLimitIsForItsEndpoints(String type, String method, boolean endpoint) throws Exception {
    Class<?> owner =
        Arrays.stream(WebEndpointCheckTest.class.getDeclaredClasses())
            .filter(each -> each.getSimpleName().equals(type))
            .findFirst()
            .orElseThrow();
    assertEquals(endpoint, WebEndpointCheck.isEndpoint(owner, owner.getMethod(method)));
  }
}
