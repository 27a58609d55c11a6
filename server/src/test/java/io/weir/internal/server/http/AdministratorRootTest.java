package io.weir.internal.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.model.Resource;
import org.glassfish.jersey.server.model.ResourceMethod;
import org.glassfish.jersey.server.model.ResourceModel;
import org.junit.jupiter.api.Test;

class AdministratorRootTest {
  @Path("/v1/admin/ratelimit/rules")
  public static final class Rules {
    @GET
    public String list() {
      return "";
    }

    @GET
    @Path("/{id}")
    public String one() {
      return "";
    }

    @DELETE
    @Path("/{id}")
    public void remove() {}
  }

  @Path("/v1/admin/ratelimit")
  public static final class Records {
    @GET
    @Path("/nodes")
    public String nodes() {
      return "";
    }
  }

  @Path("/v1/ratelimit")
  public static final class Decisions {
    @GET
    @Path("/check")
    public String check() {
      return "";
    }
  }

  private static ResourceModel processed(Class<?>... types) {
    return new AdministratorRoot().processResourceModel(model(types), new ResourceConfig());
  }

  private static ResourceModel model(Class<?>... types) {
    return new ResourceModel.Builder(List.of(types).stream().map(Resource::from).toList(), false)
        .build();
  }

  private static Map<String, List<String>> methods(List<Resource> resources) {
    Map<String, List<String>> methods = new TreeMap<>();
    for (Resource each : resources) {
      methods.put(
          each.getPath(),
          each.getResourceMethods().stream().map(AdministratorRootTest::name).sorted().toList());
    }
    return methods;
  }

  private static String name(ResourceMethod method) {
    return method.getInvocable().getHandlingMethod().getName();
  }

  @Test
  void aCheckIsMatchedAgainstOneRootOfAllAdministratorsResources() {
    List<Resource> roots =
        processed(Rules.class, Records.class, Decisions.class).getRootResources();
    assertEquals(
        List.of("/v1/admin/ratelimit", "/v1/ratelimit"),
        roots.stream().map(Resource::getPath).sorted().toList());
  }

  @Test
  void eachMethodKeepsItsPath() {
    ResourceModel model = processed(Rules.class, Records.class, Decisions.class);
    for (Resource root : model.getRootResources()) {
      if (root.getPath().equals("/v1/admin/ratelimit")) {
        assertEquals(
            Map.of(
                "/rules", List.of("list"),
                "/rules/{id}", List.of("one", "remove"),
                "/nodes", List.of("nodes")),
            methods(root.getChildResources()));
      } else {
        assertEquals(Map.of("/check", List.of("check")), methods(root.getChildResources()));
      }
    }
  }

  @Test
  void changesNothingWithoutAdministratorsResources() {
    ResourceModel model = model(Decisions.class);
    assertSame(model, new AdministratorRoot().processResourceModel(model, new ResourceConfig()));
  }
}
