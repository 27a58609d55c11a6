package io.weir.quarkus.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.arc.deployment.ValidationPhaseBuildItem.ValidationErrorBuildItem;
import io.quarkus.deployment.Capabilities;
import io.quarkus.deployment.Capability;
import io.quarkus.deployment.builditem.CombinedIndexBuildItem;
import io.quarkus.vertx.web.Route;
import io.weir.annotation.RateLimit;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.jandex.Index;
import org.junit.jupiter.api.Test;

class UnlimitedProcessorTest {
  @Test
  void refusesRestEasyClassicOnServlets() {
    assertEquals(1, errors(Set.of(Capability.RESTEASY, Capability.SERVLET)));
    assertEquals(0, errors(Set.of(Capability.RESTEASY)));
    assertEquals(0, errors(Set.of(Capability.RESTEASY_REACTIVE, Capability.SERVLET)));
  }

  private static int errors(Set<String> capabilities) {
    List<Object> errors = new ArrayList<>();
    new UnlimitedProcessor().servlets(new Capabilities(capabilities), errors::add);
    return errors.size();
  }

  @Test
  void refusesLimitsOnRoutesByName() throws IOException {
    List<ValidationErrorBuildItem> errors = new ArrayList<>();
    new UnlimitedProcessor().routes(index(Routes.class, LimitedRoutes.class), errors::add);
    assertEquals(
        Set.of(Routes.class.getName() + ".limited", LimitedRoutes.class.getName() + ".page"),
        names(errors));
  }

  @Test
  void refusesLimitsOnServletsByName() throws IOException {
    CombinedIndexBuildItem all =
        index(Front.class, LimitedFront.class, LimitedMethod.class, LimitedFilter.class);
    List<ValidationErrorBuildItem> errors = new ArrayList<>();
    new UnlimitedProcessor()
        .limitedServlets(new Capabilities(Set.of(Capability.SERVLET)), all, errors::add);
    assertEquals(
        Stream.of(LimitedFront.class, LimitedMethod.class, LimitedFilter.class)
            .map(Class::getName)
            .collect(Collectors.toSet()),
        names(errors));
    errors.clear();
    new UnlimitedProcessor().limitedServlets(new Capabilities(Set.of()), all, errors::add);
    assertEquals(Set.of(), names(errors), "nothing serves them");
  }

  private static CombinedIndexBuildItem index(Class<?>... classes) throws IOException {
    Index index = Index.of(classes);
    return new CombinedIndexBuildItem(index, index);
  }

  private static Set<String> names(List<ValidationErrorBuildItem> errors) {
    return errors.stream()
        .flatMap(each -> each.getValues().stream())
        .map(each -> each.getMessage().replaceAll(": .*", ""))
        .collect(Collectors.toSet());
  }

  static class Routes {
    @Route(path = "/free")
    void free() {}

    @Route(path = "/limited")
    @RateLimit(limit = 1, window = 60)
    void limited() {}

    @RateLimit(limit = 1, window = 60)
    void call() {}
  }

  @RateLimit(limit = 1, window = 60)
  static class LimitedRoutes {
    @Route(path = "/page")
    void page() {}
  }

  static class Front extends HttpServlet {
    private static final long serialVersionUID = 1L;
  }

  @RateLimit(limit = 1, window = 60)
  static class LimitedFront extends Front {
    private static final long serialVersionUID = 1L;
  }

  static class LimitedMethod extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @RateLimit(limit = 1, window = 60)
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {}
  }

  @RateLimit(limit = 1, window = 60)
  abstract static class LimitedFilter implements Filter {}
}
