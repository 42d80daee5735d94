"""Home Assistant's own MQTT discovery, beside a tracker with Discovery=homeassistant.

home-assistant.py PORT FOLDER: connects to the broker at PORT of 127.0.0.1, and prints the states of the entities that it
has found, as a line of JSON each time they change.
"""
import asyncio
import json
import logging
import pathlib
import socket
import sys

from homeassistant import auth, bootstrap, config_entries, core, loader
from homeassistant.helpers import device_registry
from homeassistant.setup import async_setup_component

port, folder = int(sys.argv[1]), pathlib.Path(sys.argv[2])


def entry():
    return {
        "entry_id": "mqtt", "version": 1, "minor_version": 1, "domain": "mqtt", "title": "broker",
        "data": {"broker": "127.0.0.1", "port": port, "discovery": True}, "options": {},
        "pref_disable_new_entities": False, "pref_disable_polling": False, "source": "user",
        "unique_id": None, "disabled_by": None}


def states(hass):
    kinds = ("device_tracker.", "sensor.", "binary_sensor.")
    return {
        state.entity_id: {"state": state.state, **{
            key: state.attributes[key] for key in ("latitude", "longitude", "gps_accuracy")
            if key in state.attributes}}
        for state in hass.states.async_all() if state.entity_id.startswith(kinds)}


async def main():
    (folder / ".storage").mkdir(parents=True)
    (folder / "configuration.yaml").write_text("")
    (folder / ".storage/core.config_entries").write_text(json.dumps({
        "version": 1, "minor_version": 1, "key": "core.config_entries", "data": {"entries": [entry()]}}))
    # Without its pages, its cloud and its backups.
    hass = core.HomeAssistant(str(folder))
    hass.config.skip_pip = True
    loader.async_setup(hass)
    hass.config_entries = config_entries.ConfigEntries(hass, {})
    await hass.config_entries.async_initialize()
    await bootstrap.async_load_base_functionality(hass)
    hass.auth = await auth.auth_manager_from_config(hass, [{"type": "homeassistant"}], [])
    logging.getLogger().setLevel(logging.WARNING)
    await async_setup_component(hass, "homeassistant", {})
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        http = {"server_host": "127.0.0.1", "server_port": free.getsockname()[1]}
    await async_setup_component(hass, "http", {"http": http})
    await async_setup_component(hass, "mqtt", {})
    await hass.async_start()
    before = None
    while True:
        now = states(hass)
        now["devices"] = [device.name for device in device_registry.async_get(hass).devices.values()]
        if now != before:
            print(json.dumps(now), flush=True)
        before = now
        await asyncio.sleep(0.2)


asyncio.run(main())
