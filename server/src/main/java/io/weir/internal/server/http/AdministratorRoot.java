package io.weir.internal.server.http;

import jakarta.ws.rs.core.Configuration;
import java.util.List;
import org.glassfish.jersey.server.model.ModelProcessor;
import org.glassfish.jersey.server.model.Resource;
import org.glassfish.jersey.server.model.ResourceMethod;
import org.glassfish.jersey.server.model.ResourceModel;
import org.jspecify.annotations.Nullable;

/**
 * Moves the resources of administrators below one root. Jersey matches the path of each request
 * against the roots one by one, longest first, so a check would be matched against dozens of
 * patterns before its own.
 *
 * <p>Immutable.
 */
final class AdministratorRoot implements ModelProcessor {
  private static final String PATH = "/v1/admin/ratelimit";

  @Override
  public ResourceModel processResourceModel(ResourceModel model, Configuration configuration) {
    Resource.Builder root = Resource.builder(PATH);
    ResourceModel.Builder all = new ResourceModel.Builder(false);
    boolean isAnyMoved = false;
    for (Resource each : model.getResources()) {
      if (isBelowRoot(each.getPath())) {
        move(each, root);
        isAnyMoved = true;
      } else {
        all.addResource(each);
      }
    }
    return isAnyMoved ? all.addResource(root.build()).build() : model;
  }

  private static boolean isBelowRoot(@Nullable String path) {
    return path != null && (path.equals(PATH) || path.startsWith(PATH + "/"));
  }

  private static void move(Resource resource, Resource.Builder root) {
    String below = resource.getPath().substring(PATH.length());
    List<ResourceMethod> own = resource.getResourceMethods();
    if (!own.isEmpty()) {
      own.forEach((below.isEmpty() ? root : root.addChildResource(below))::addMethod);
    }
    for (Resource child : resource.getChildResources()) {
      child.getResourceMethods().forEach(root.addChildResource(below + child.getPath())::addMethod);
    }
  }

  @Override
  public ResourceModel processSubResource(ResourceModel model, Configuration configuration) {
    return model;
  }
}
