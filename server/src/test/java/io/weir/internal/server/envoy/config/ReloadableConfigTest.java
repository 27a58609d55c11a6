package io.weir.internal.server.envoy.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.OnStoreFailure;
import io.weir.internal.server.envoy.proto.RateLimitDescriptor;
import io.weir.test.log.BrokenLogger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that files are followed, and that invalid ones change nothing. */
class ReloadableConfigTest {
  @TempDir Path folder;

  @Test
  void aChangeIsInForceWithTheNextRefresh() throws IOException {
    write("a.yaml", "shop", 1);
    ReloadableConfig files = open();
    write("a.yaml", "shop", 2);
    assertEquals(1, limit(files, "shop"));
    files.refresh();
    assertEquals(2, limit(files, "shop"));
  }

  @Test
  void filesComeAndGo() throws IOException {
    ReloadableConfig files = open();
    write("a.yaml", "shop", 1);
    write("b.yml", "bank", 2);
    files.refresh();
    assertEquals(1, limit(files, "shop"));
    assertEquals(2, limit(files, "bank"));
    Files.delete(folder.resolve("a.yaml"));
    files.refresh();
    assertNull(files.current().domain("shop"));
    assertEquals(2, limit(files, "bank"));
  }

  @Test
  void aBadFileIsToldAndLeavesItsLastGoodVersion() throws IOException {
    write("a.yaml", "shop", 1);
    write("b.yaml", "bank", 2);
    ReloadableConfig files = open();
    Files.writeString(folder.resolve("a.yaml"), "domain: shop\nlimits: []");
    write("b.yaml", "bank", 3);
    files.refresh();
    assertEquals(1, limit(files, "shop"));
    assertEquals(3, limit(files, "bank"));
    assertEquals(1, files.problems().size());
    assertTrue(files.problems().get(0).contains("a.yaml:2:1: unknown key 'limits'"));
    files.refresh();
    assertEquals(1, files.problems().size());
    write("a.yaml", "shop", 4);
    files.refresh();
    assertEquals(4, limit(files, "shop"));
    assertEquals(List.of(), files.problems());
  }

  @Test
  void aLoggerThatThrowsKeepsNoGoodFileFromBeingInForce() throws IOException {
    ReloadableConfig files = open();
    Files.writeString(folder.resolve("a.yaml"), "?");
    write("b.yaml", "bank", 2);
    write("c.yaml", "bank", 3);
    try (BrokenLogger broken = new BrokenLogger()) {
      files.refresh();
      assertEquals(2, limit(files, "bank"));
    }
  }

  @Test
  void aBadFileThatGoesTakesItsLastGoodVersionWithIt() throws IOException {
    write("a.yaml", "shop", 1);
    ReloadableConfig files = open();
    Files.writeString(folder.resolve("a.yaml"), "?");
    files.refresh();
    Files.delete(folder.resolve("a.yaml"));
    files.refresh();
    assertNull(files.current().domain("shop"));
    assertEquals(List.of(), files.problems());
  }

  @Test
  void aBadFileFailsTheStart() throws IOException {
    Files.writeString(folder.resolve("a.yaml"), "domain: shop\nlimits: []");
    Files.write(folder.resolve("b.yaml"), new byte[] {'a', ':', (byte) 0xff});
    ConfigException failed = assertThrows(ConfigException.class, this::open);
    assertTrue(failed.getMessage().contains("unknown key 'limits'"), failed.getMessage());
    assertTrue(failed.getMessage().contains("b.yaml: must be UTF-8"), failed.getMessage());
  }

  @Test
  void aDescriptorTwiceFailsTheStart() throws IOException {
    write("a.yaml", "shop", 1);
    write("b.yaml", "shop", 2);
    ConfigException failed = assertThrows(ConfigException.class, this::open);
    assertEquals(
        folder.resolve("b.yaml")
            + ": the descriptor a of the domain shop is already in "
            + folder.resolve("a.yaml"),
        failed.getMessage());
  }

  @Test
  void aDomainMayBeInSeveralFiles() throws IOException {
    write("a.yaml", "shop", "a", 1);
    write("b.yaml", "shop", "b", 2);
    ReloadableConfig files = open();
    assertEquals(1, limit(files, "shop", "a"));
    assertEquals(2, limit(files, "shop", "b"));
    Files.delete(folder.resolve("a.yaml"));
    files.refresh();
    assertEquals(2, limit(files, "shop", "b"));
    assertTrue(find(files, "shop", "a").isEmpty());
    Files.writeString(folder.resolve("b.yaml"), "domain: shop");
    files.refresh();
    assertTrue(find(files, "shop", "b").isEmpty(), "the domain is there without descriptors");
    assertEquals(List.of(), files.problems());
  }

  @Test
  void aDescriptorStaysWithTheFileThatHasIt() throws IOException {
    write("b.yaml", "shop", 1);
    ReloadableConfig files = open();
    write("a.yaml", "shop", 2);
    write("b.yaml", "shop", 3);
    files.refresh();
    assertEquals(3, limit(files, "shop"));
    assertTrue(files.problems().get(0).contains("a.yaml: the descriptor a of the domain shop"));
    Files.delete(folder.resolve("b.yaml"));
    files.refresh();
    assertEquals(2, limit(files, "shop"));
    assertEquals(List.of(), files.problems());
  }

  @Test
  void aFileThatTakesAnothersDescriptorKeepsItsOldOnes() throws IOException {
    write("a.yaml", "shop", 1);
    write("b.yaml", "bank", 2);
    ReloadableConfig files = open();
    write("b.yaml", "shop", 3);
    files.refresh();
    assertEquals(1, limit(files, "shop"));
    assertEquals(2, limit(files, "bank"));
    assertEquals(1, files.problems().size());
  }

  @Test
  void aFileThatCanNotChangeKeepsAllThatNoOtherFileHasTaken() throws IOException {
    Files.writeString(
        folder.resolve("b.yaml"), yaml("shop", "x", 1) + "---\n" + yaml("shop", "y", 2));
    write("c.yaml", "shop", "z", 3);
    ReloadableConfig files = open();
    write("a.yaml", "shop", "x", 4);
    Files.writeString(
        folder.resolve("b.yaml"), yaml("shop", "y", 5) + "---\n" + yaml("shop", "z", 6));
    files.refresh();
    assertEquals(4, limit(files, "shop", "x"));
    assertEquals(2, limit(files, "shop", "y"));
    assertEquals(3, limit(files, "shop", "z"));
    assertEquals(1, files.problems().size());
  }

  @Test
  void filesMayExchangeTheirDomains() throws IOException {
    write("a.yaml", "shop", 1);
    write("b.yaml", "bank", 2);
    ReloadableConfig files = open();
    write("a.yaml", "bank", 3);
    write("b.yaml", "shop", 4);
    files.refresh();
    assertEquals(3, limit(files, "bank"));
    assertEquals(4, limit(files, "shop"));
    assertEquals(List.of(), files.problems());
  }

  @Test
  void foldersInTheFolderAreRead() throws IOException {
    Path inner = Files.createDirectories(folder.resolve("team").resolve("shop.yaml"));
    Files.writeString(inner.resolve("a.yaml"), yaml("shop", 1));
    Files.createSymbolicLink(inner.resolve("up"), folder);
    Path hidden = Files.createDirectory(folder.resolve(".git"));
    Files.writeString(hidden.resolve("a.yaml"), "?");
    ReloadableConfig files = open();
    assertEquals(1, limit(files, "shop"));
    Files.writeString(inner.resolve("a.yaml"), yaml("shop", 2));
    files.refresh();
    assertEquals(2, limit(files, "shop"));
    assertEquals(List.of(), files.problems());
  }

  @Test
  void aConfigMapIsSwappedBehindItsLinks() throws IOException {
    Path first = Files.createDirectory(folder.resolve("..2026_1"));
    Path second = Files.createDirectory(folder.resolve("..2026_2"));
    Files.writeString(first.resolve("a.yaml"), yaml("shop", 1));
    Files.writeString(second.resolve("a.yaml"), yaml("shop", 2));
    Path data = folder.resolve("..data");
    Files.createSymbolicLink(data, first.getFileName());
    Files.createSymbolicLink(folder.resolve("a.yaml"), Path.of("..data", "a.yaml"));
    ReloadableConfig files = open();
    assertEquals(1, limit(files, "shop"));
    Path next = Files.createSymbolicLink(folder.resolve("..data_tmp"), second.getFileName());
    Files.move(next, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    files.refresh();
    assertEquals(2, limit(files, "shop"));
    assertEquals(List.of(), files.problems());
  }

  @Test
  void otherFilesOfAFolderAreNotRead() throws IOException {
    Files.writeString(folder.resolve("readme.txt"), "?");
    Files.writeString(folder.resolve(".hidden.yaml"), "?");
    Files.createDirectory(folder.resolve("folder.yaml"));
    assertEquals(List.of(), open().problems());
  }

  @Test
  void aFileIsReadWhateverItsName() throws IOException {
    Path file = write("limits", "shop", 1);
    ReloadableConfig files = ReloadableConfig.open(List.of(file), OnStoreFailure.DEFAULT);
    assertEquals(1, limit(files, "shop"));
  }

  @Test
  void aFileThatCanNotBeReadForAWhileStaysInForce() throws IOException {
    Path target = write("target", "shop", 1);
    Path loop = folder.resolve("a.yaml");
    Files.createSymbolicLink(loop, target);
    ReloadableConfig files = open();
    Files.delete(loop);
    Files.createSymbolicLink(loop, loop.getFileName()); // to itself
    files.refresh();
    assertEquals(1, limit(files, "shop"));
    assertEquals(1, files.problems().size());
    Files.delete(loop);
    Files.createSymbolicLink(loop, target);
    files.refresh();
    assertEquals(List.of(), files.problems());
  }

  private ReloadableConfig open() {
    return ReloadableConfig.open(List.of(folder), OnStoreFailure.DEFAULT);
  }

  private Path write(String name, String domain, int limit) throws IOException {
    return write(name, domain, "a", limit);
  }

  private Path write(String name, String domain, String key, int limit) throws IOException {
    return Files.writeString(folder.resolve(name), yaml(domain, key, limit));
  }

  private static String yaml(String domain, int limit) {
    return yaml(domain, "a", limit);
  }

  private static String yaml(String domain, String key, int limit) {
    return "domain: "
        + domain
        + "\ndescriptors: [{key: "
        + key
        + ", rate_limit: {unit: day, requests_per_unit: "
        + limit
        + "}}]\n";
  }

  private static long limit(ReloadableConfig files, String name) {
    return limit(files, name, "a");
  }

  private static long limit(ReloadableConfig files, String name, String key) {
    return find(files, name, key).orElseThrow().permits();
  }

  private static Optional<EnvoyLimit> find(ReloadableConfig files, String name, String key) {
    EnvoyDomain domain = files.current().domain(name);
    assertNotNull(domain);
    RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
    descriptor.addEntriesBuilder().setKey(key).setValue("b");
    return domain.limit(descriptor.build());
  }
}
