package io.weir.compat.stack.platform;

import java.net.MalformedURLException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.maven.model.Dependency;
import org.apache.maven.model.Parent;
import org.apache.maven.model.Repository;
import org.apache.maven.model.building.ModelSource;
import org.apache.maven.model.building.UrlModelSource;
import org.apache.maven.model.resolution.ModelResolver;
import org.apache.maven.model.resolution.UnresolvableModelException;

/**
 * Gives Maven's model builder the parents and imports of a POM, from the local repository only.
 *
 * @param repository the repository
 */
@SuppressWarnings("deprecation") // the interface answers a ModelSource
record LocalPoms(LocalRepository repository) implements ModelResolver {
  @Override
  public ModelSource resolveModel(String group, String artifact, String version)
      throws UnresolvableModelException {
    Path pom = repository.pom(group, artifact, version);
    if (!Files.exists(pom)) {
      throw new UnresolvableModelException("isn't in the repository", group, artifact, version);
    }
    try {
      return new UrlModelSource(pom.toUri().toURL());
    } catch (MalformedURLException impossible) {
      throw new AssertionError(impossible);
    }
  }

  @Override
  public ModelSource resolveModel(Parent parent) throws UnresolvableModelException {
    return resolveModel(parent.getGroupId(), parent.getArtifactId(), parent.getVersion());
  }

  @Override
  public ModelSource resolveModel(Dependency imported) throws UnresolvableModelException {
    return resolveModel(imported.getGroupId(), imported.getArtifactId(), imported.getVersion());
  }

  @Override
  public void addRepository(Repository more) {}

  @Override
  public void addRepository(Repository more, boolean replace) {}

  @Override
  public ModelResolver newCopy() {
    return this;
  }
}
