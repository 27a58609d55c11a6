package io.weir.compat.release;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.maven.repository.internal.MavenRepositorySystemUtils;
import org.eclipse.aether.DefaultRepositorySystemSession;
import org.eclipse.aether.RepositoryException;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.collection.CollectRequest;
import org.eclipse.aether.graph.Dependency;
import org.eclipse.aether.graph.DependencyNode;
import org.eclipse.aether.repository.LocalRepository;
import org.eclipse.aether.resolution.ArtifactDescriptorRequest;
import org.eclipse.aether.resolution.ArtifactDescriptorResult;
import org.eclipse.aether.supplier.RepositorySystemSupplier;
import org.eclipse.aether.util.repository.SimpleArtifactDescriptorPolicy;

/** Resolves the dependencies of a module by Maven's own resolver, from POMs on the disk. */
final class DependencyTrees {
  private final RepositorySystem system = new RepositorySystemSupplier().get();
  private final DefaultRepositorySystemSession session = MavenRepositorySystemUtils.newSession();
  private final PomsOnDisk poms = new PomsOnDisk();
  private final String version;

  /**
   * Resolves nothing yet.
   *
   * @param version that of our modules
   * @param empty a folder for the resolver
   */
  DependencyTrees(String version, Path empty) throws IOException {
    this.version = version;
    session.setOffline(true);
    session.setSystemProperties(System.getProperties());
    session.setUserProperties(Map.of("revision", version));
    session.setWorkspaceReader(poms);
    // A version that loses may never have been downloaded.
    session.setArtifactDescriptorPolicy(new SimpleArtifactDescriptorPolicy(true, true));
    session.setLocalRepositoryManager(
        system.newLocalRepositoryManager(session, new LocalRepository(empty.toFile())));
  }

  /**
   * Returns what an application gets that depends on a module alone.
   *
   * @param managed the versions that the application's own BOM chooses
   * @return versions by group and artifact
   */
  SortedMap<String, String> ofUser(String module, List<Dependency> managed)
      throws RepositoryException {
    CollectRequest request = new CollectRequest();
    request.setDependencies(List.of(new Dependency(ours(module), "compile")));
    request.setManagedDependencies(managed);
    return collect(request);
  }

  /**
   * Returns what the tests of a module have on their class path: versions by group and artifact.
   */
  SortedMap<String, String> ofTests(String module) throws RepositoryException {
    poms.readAsBuilt(module, true);
    ArtifactDescriptorResult read = read(ours(module));
    poms.readAsBuilt(module, false);
    CollectRequest request = new CollectRequest();
    request.setRootArtifact(ours(module));
    request.setDependencies(read.getDependencies());
    request.setManagedDependencies(read.getManagedDependencies());
    return collect(request);
  }

  /** Returns the versions that a BOM manages. */
  List<Dependency> managedBy(String bom) throws RepositoryException {
    return read(new DefaultArtifact(bom)).getManagedDependencies();
  }

  private Artifact ours(String module) {
    return new DefaultArtifact("io.weir", module, "jar", version);
  }

  private ArtifactDescriptorResult read(Artifact artifact) throws RepositoryException {
    return system.readArtifactDescriptor(
        session, new ArtifactDescriptorRequest(artifact, List.of(), null));
  }

  private SortedMap<String, String> collect(CollectRequest request) throws RepositoryException {
    SortedMap<String, String> versions = new TreeMap<>();
    add(system.collectDependencies(session, request).getRoot(), versions);
    return versions;
  }

  private static void add(DependencyNode node, SortedMap<String, String> versions) {
    for (DependencyNode each : node.getChildren()) {
      Artifact artifact = each.getArtifact();
      versions.put(artifact.getGroupId() + ":" + artifact.getArtifactId(), artifact.getVersion());
      add(each, versions);
    }
  }
}
